import { type Browser, chromium as engine } from 'playwright-core';

/** A Chromium that starts on this machine; `env` is added to the environment of its process. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

/** Starts a headless browser. */
export function launch({ executablePath, env }: Chromium, args: readonly string[] = []): Promise<Browser> {
  return engine.launch({
    executablePath,
    env: { ...process.env, ...env },
    // Its sandbox needs privileges that containers do not grant; the browser opens only pages of the service.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...args],
  });
}
