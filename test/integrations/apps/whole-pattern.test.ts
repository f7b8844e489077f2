import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { matchesWhole } from '../../../src/features/integrations/apps/whole-pattern.js';
import { compiledSource } from '../../support/compiled-source.js';

describe('matchesWhole', () => {
  it.each([
    ['a+', 'aaa', true],
    ['a|b', 'b', true],
    ['a', 'ab', false],
    ['a', 'xa', false],
    ['(a+)+', `${'a'.repeat(40)}b`, false],
  ])('%s against %s', (pattern, value, matches) => {
    expect(matchesWhole(pattern, value)).toBe(matches);
  });

  it('matches in a process that is stopped for longer than a match may take', async () => {
    const module = pathToFileURL(compiledSource('src/features/integrations/apps/whole-pattern.ts')).href;
    const source = `const { matchesWhole } = await import(${JSON.stringify(module)});
      matchesWhole('a+', 'a');
      process.send('ready');
      let wrong = 0;
      let isDone = false;
      process.on('message', () => { isDone = true; });
      while (!isDone) {
        for (let turn = 0; turn < 100; turn += 1) if (!matchesWhole('a+b', 'a'.repeat(20_000) + 'b')) wrong += 1;
        await new Promise(setImmediate);
      }
      process.send(wrong, () => process.disconnect());`;
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', source], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [ready] = (await once(child, 'message')) as [string];
    expect(ready).toBe('ready');
    for (let stop = 0; stop < 15; stop += 1) {
      child.kill('SIGSTOP');
      await sleep(150);
      child.kill('SIGCONT');
      await sleep(20);
    }
    const answer = once(child, 'message') as Promise<[number]>;
    child.send('done');
    expect((await answer)[0]).toBe(0);
  });
});
