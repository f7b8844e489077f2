import { CloseButton, TextInput } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isDialogOpen, isTyping } from '../is-typing.js';
import { areSingleKeysOn } from '../single-keys.js';
import { useUrlValue } from './use-url-value.js';
import { IconSearch } from '../icons/icons.js';

const PAUSE = 250;

/** A search field; its text is stored in the URL (`?search=`) a moment after the last key. The key `/` focuses it. */
export function SearchField({ label, name = 'search' }: { label: string; name?: string }) {
  const [inUrl, setInUrl] = useUrlValue(name);
  const [typed, setTyped] = useState(inUrl);
  const [seen, setSeen] = useState(inUrl);
  // On a slow page the URL follows late: the next keys are there before the text that was sent to it.
  const [sent, setSent] = useState(inUrl);
  const input = useSlash();
  if (seen !== inUrl) {
    setSeen(inUrl);
    // The URL changed without typing: back, forward, a link.
    if (inUrl !== sent) {
      setSent(inUrl);
      setTyped(inUrl);
    }
  }
  const send = useCallback(
    (text: string) => {
      setSent(text);
      setInUrl(text);
    },
    [setInUrl],
  );
  useEffect(() => {
    if (typed.trim() === inUrl || isOnItsWay(name, sent, inUrl)) return;
    const timer = setTimeout(() => send(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, name, inUrl, sent, send]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !isOnItsWay(name, sent, inUrl)) send(typed.trim());
        if (event.key === 'Escape') setTyped('');
      }}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear search" onClick={() => setTyped('')} />}
    />
  );
}

/** Whether the URL has a text that the page has not rendered yet: one at a time. */
function isOnItsWay(name: string, sent: string, inUrl: string): boolean {
  return sent !== inUrl && new URLSearchParams(location.search).get(name) === sent;
}

function useSlash() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event) || isDialogOpen() || !areSingleKeysOn()) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return input;
}
