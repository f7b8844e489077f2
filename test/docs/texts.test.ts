import { expect, it } from '@jest/globals';
import { allTexts } from '../../scripts/emit/texts-page.js';

/** What texts for users do not say, with what they say instead. */
const AVOIDED: readonly [RegExp, string][] = [
  [/\be-mail/i, 'email'],
  [/\b(?:a|the|no|another) mails?\b|\bmails (?:are|is)\b/i, 'email'],
  [/\bmake an? /i, 'create'],
  [/\bmakes? a run\b/i, 'starts a run'],
  [/\bshall\b/i, 'should'],
  [/\banew\b/i, 'again'],
  [/\bhears? of\b|\b(?:are|be|is) told\b/i, 'receive, be notified'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\bunder way\b/i, 'in progress'],
  [/\bany more\b/i, 'no longer'],
  [/\bgo(?:es)? on\b/i, 'continue'],
  [/\bjust now\b./i, 'leave it out'],
  [/\bsay what\b/i, 'add'],
  [/\bis there\b(?!.*\?)/i, 'created, exists'],
  [/\bwhose\b/i, 'name the noun'],
  [/\bwas answered\b|\bthe answer\b/i, 'response'],
  [/\bis noted\b|\bare noted\b/i, 'recorded'],
  [/\b(?:by|by a|another) (?:hand|person)\b/i, 'by a user'],
  [/\b(?:Copy|Events|its|webhook|callback) address\b/i, 'URL'],
  [/\bintegrations?\b/i, 'connection'],
  [/[A-Z]\w+ Keys?\b/, 'sentence case'],
];

it('users read plain words in every text', () => {
  const found = [...allTexts()].flatMap(([file, texts]) =>
    texts.flatMap((text) =>
      AVOIDED.filter(([pattern]) => pattern.test(text)).map(([, instead]) => `${file}: “${text}” (${instead})`),
    ),
  );
  expect(found).toEqual([]);
});

it('the texts are those of pages, dialogs, messages and emails', () => {
  const texts = new Set([...allTexts().values()].flat());
  for (const text of ['Skip to content', 'Cancel run', 'Page …', 'Set a new password', '… is connected']) {
    expect(texts).toContain(text);
  }
});
