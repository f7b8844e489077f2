import { type Browser, chromium as engine } from 'playwright-core';

/** A Chromium that starts on this machine; `env` is what its process needs beside the environment of its parent. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

/** A browser without a window. */
export function launch({ executablePath, env }: Chromium, args: readonly string[] = []): Promise<Browser> {
  return engine.launch({
    executablePath,
    env: { ...process.env, ...env },
    // Its sandbox needs privileges that containers don't give; it meets no page but those of the service.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...args],
  });
}
