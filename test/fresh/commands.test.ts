import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Commands } from '../../scripts/fresh/commands.js';
import { processesIn } from '../../scripts/fresh/processes.js';

/** Long enough for a shell to begin; what it begins goes on for an hour. */
const MOMENT_MINUTES = 0.02;

describe('the commands of a stranger', () => {
  let folder: string;
  let commands: Commands;
  let shown: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'stranger-')));
    const checkout = join(folder, 'Zürich copy');
    mkdirSync(checkout);
    shown = '';
    const env = { PATH: process.env.PATH!, TZ: 'Asia/Kathmandu' };
    commands = new Commands({ folder, checkout, env }, (text) => (shown += text));
  });
  afterEach(() => {
    commands.endAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('run in the checkout, with nothing but the given environment', async () => {
    const output = await commands.run('step', 'pwd; echo "$TZ ${HOME:-no home} ${LANG:-no language}"', 1);
    expect(output).toBe(`${folder}/Zürich copy\nAsia/Kathmandu no home no language\n`);
    expect(shown).toContain(output);
  });

  it('fail in one line that says what lacked', async () => {
    const failing = `printf 'npm error code E404\\nnpm error 404 no such package\\nnpm error A complete log …\\n' >&2; exit 3`;
    await expect(commands.run('npm ci', failing, 1)).rejects.toThrow(
      /^npm ci: ended with 3: npm error 404 no such package$/,
    );
  });

  it('fail where there is no such shell', async () => {
    const running = commands.run('step', 'true', 1, '/no/such/shell');
    await expect(running).rejects.toThrow(/^step: ended with .*\/no\/such\/shell ENOENT: it wrote nothing$/);
  });

  it('fail when they do not end', async () => {
    const running = commands.run('step', 'echo waiting for it; sleep 3600', MOMENT_MINUTES);
    await expect(running).rejects.toThrow(/^step: not ended in 0.02 minutes: waiting for it$/);
  });

  it('leave no process behind, not even one that left its group', async () => {
    if (process.platform !== 'linux') return;
    await commands.run('step', 'setsid sleep 3600 >/dev/null 2>&1 &', 1);
    await expect(commands.noneLeft('step', 0)).rejects.toThrow(/^step: left processes behind: .* \(\d+\)/);
    commands.endAll();
    await commands.noneLeft('step');
    expect(processesIn(folder)).toEqual([]);
  });
});
