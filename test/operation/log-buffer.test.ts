import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compiledSource } from '../support/compiled-source.js';

const ROOT = join(import.meta.dirname, '../..');

/** Runs a script with the service's logger on standard output. @returns each chunk of output and the exit status. */
async function run(script: string): Promise<{ chunks: string[]; code: number | null }> {
  const source = `import { createLogger } from './${compiledSource('src/platform/logging/logger.ts')}';\nconst logger = createLogger('info');\n${script}`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', source], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { chunks, code };
}

function messages(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describe('the log on standard output', () => {
  it('loses no line when the process ends by process.exit', async () => {
    const { chunks, code } = await run(`for (let i = 0; i < 500; i += 1) logger.info('line ' + i);\nprocess.exit(3);`);
    expect(messages(chunks.join(''))).toEqual(Array.from({ length: 500 }, (_, i) => `line ${i}`));
    expect(code).toBe(3);
  });

  it('loses no line when an exception ends the process', async () => {
    const { chunks, code } = await run(`logger.info('before');\nsetImmediate(() => { throw new Error('fatal'); });`);
    expect(messages(chunks.join(''))).toEqual(['before']);
    expect(code).not.toBe(0);
  });

  it('writes an error and the lines before it at once, in order', async () => {
    const { chunks } = await run(
      `logger.info('first');\nlogger.error('second');\nprocess.kill(process.pid, 'SIGKILL');`,
    );
    expect(messages(chunks.join(''))).toEqual(['first', 'second']);
  });

  it('writes a line after a delay when no other follows', async () => {
    const { chunks } = await run(
      `logger.info('alone');\nsetTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000);`,
    );
    expect(messages(chunks.join(''))).toEqual(['alone']);
  });
});
