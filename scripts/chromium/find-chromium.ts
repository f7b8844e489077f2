import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Chromium } from './chromium.js';
import { unpackChromium } from './packaged-chromium.js';

/** Usual paths of Chromium; the first is the headless engine alone, which does two thirds of the work. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** A browser that does not print its version in this time hangs. */
const PATIENCE_MS = 60_000;

/** The result of a search; `faults` has one line for each earlier candidate that does not start. */
export interface Search {
  chromium?: Chromium;
  faults: string[];
}

/**
 * Finds the first Chromium that starts: that of `CHROMIUM_PATH`, that of the npm packages, which is unpacked into
 * `folder`, or one of the machine.
 */
export async function findChromium(folder: string): Promise<Search> {
  const faults: string[] = [];
  for (const [name, candidate] of candidates(folder)) {
    try {
      return { chromium: await started(await candidate()), faults };
    } catch (error) {
      faults.push(`${name}: ${reason(error)}`);
    }
  }
  return { faults };
}

type Candidate = [name: string, () => Chromium | Promise<Chromium>];

function candidates(folder: string): Candidate[] {
  const named = process.env.CHROMIUM_PATH;
  const at = (name: string, executablePath: string): Candidate => [name, () => ({ executablePath, env: {} })];
  return [
    ...(named ? [at('CHROMIUM_PATH', named)] : []),
    ['@sparticuz/chromium', () => unpackChromium(folder)],
    ...PLACES.map((place) => at(place, place)),
  ];
}

/** Starts a candidate. @throws Error when it does not start: it is missing, lacks a library, or may not be executed. */
async function started(chromium: Chromium): Promise<Chromium> {
  const { executablePath, env } = chromium;
  if (!existsSync(executablePath)) throw new Error('not there');
  await promisify(execFile)(executablePath, ['--version'], { env: { ...process.env, ...env }, timeout: PATIENCE_MS });
  return chromium;
}

/** The reason in one line: the output of the process, else the system's error. */
function reason(error: unknown): string {
  const { stderr = '', message } = error as Error & { stderr?: string };
  const lines = (stderr.trim() || message).split('\n');
  return lines.find((line) => /error|cannot/i.test(line)) ?? lines[0]!;
}
