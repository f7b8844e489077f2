import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type AuthAnswer, callAuth } from '../../session/auth-api.js';
import { notifyDone, notifyFault } from '../../ui/pages/notify.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { browserInWords } from './browser-words.js';
import classes from './session-list.module.css';

/** A session in the response of `/auth/sessions`. */
interface OwnSession {
  id: string;
  created_at: string;
  address: string | null;
  user_agent: string | null;
  current: boolean;
}

/** The person's open sessions; all but this one can be signed out. */
export function SessionList() {
  const { answer, reload } = useSessions();
  const [ending, setEnding] = useState<string>();
  const end = async ({ id, user_agent: agent }: OwnSession) => {
    setEnding(id);
    const ended = await callAuth('/end-session', { id });
    if (ended.ok) notifyDone(`${browserInWords(agent)} is signed out.`);
    else notifyFault(ended.fault);
    setEnding(undefined);
    reload();
  };
  if (answer?.ok === false) return <p role="alert">{answer.fault.message}</p>;
  return (
    <ul className={classes.list} aria-label="Sessions" aria-busy={answer === undefined}>
      {answer?.data.sessions.map((session) => (
        <li key={session.id}>
          <div>
            <strong>{browserInWords(session.user_agent)}</strong>
            <span className={classes.soft}>
              {session.current ? 'This browser' : (session.address ?? 'Unknown address')}, signed in{' '}
              <RelativeTime at={session.created_at} />
            </span>
          </div>
          {!session.current && (
            <Button
              size="xs"
              variant="default"
              loading={ending === session.id}
              aria-label={`Sign out ${browserInWords(session.user_agent)}`}
              onClick={() => void end(session)}
            >
              Sign out
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The response of `/auth/sessions`, undefined until it arrives; `reload` requests another one. */
function useSessions() {
  const [answer, setAnswer] = useState<AuthAnswer<{ sessions: readonly OwnSession[] }>>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let gone = false;
    void callAuth<{ sessions: readonly OwnSession[] }>('/sessions').then((next) => {
      if (!gone) setAnswer(next);
    });
    return () => {
      gone = true;
    };
  }, [round]);
  return { answer, reload: () => setRound((before) => before + 1) };
}
