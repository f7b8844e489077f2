import { setTimeout as pause } from 'node:timers/promises';
import { type Command, type Commands, within } from './commands.js';
import { Fault, lastLine, reasonIn } from './fault.js';
import { Readme } from './readme.js';
import { type Stranger } from './stranger.js';

const TOOLS = 'node --version && npm --version && curl --version';
const JOURNEY = '### A workflow, and a hook that fires it';
/** The output that the comments in its block promise. */
const PROMISED = ['"accepted":true', '"run_id":"run_', '"run_count":1'];

const START_MINUTES = 20;
const JOURNEY_MINUTES = 5;
const STOP_MINUTES = 2;
/** How a command may end when it is stopped from a terminal: by itself, or by the signal. */
const STOPPED: (number | string)[] = [0, 130, 'SIGINT'];

/** Starts the service as the README says, follows its first journey with a new key, and stops it from the terminal. */
export async function firstJourney(stranger: Stranger, commands: Commands): Promise<void> {
  await commands.run('what the README asks for', TOOLS, 1);
  const readme = new Readme(stranger.checkout);
  const start = readme.command(/^(npm ci && npm start)\b/m);
  const typed = journeyOf(readme, stranger.port);
  const service = commands.begin(start);
  await ready(start, service, stranger.port);
  await journey(typed, commands);
  await stop(`Ctrl-C of ${start}`, service, commands);
}

async function ready(step: string, service: Command, port: number): Promise<void> {
  const polling = new AbortController();
  const first = await within(START_MINUTES, Promise.race([service.ended, answers(port, polling.signal)]));
  polling.abort();
  if (first === undefined) {
    throw new Fault(step, `does not answer after ${START_MINUTES} minutes: ${lastLine(service.output)}`);
  }
  if (first !== 'answers') throw new Fault(step, `ended with ${first}: ${reasonIn(service.output)}`);
}

async function answers(port: number, signal: AbortSignal): Promise<string> {
  while (!signal.aborted) {
    const { ok } = await fetch(`http://localhost:${port}/readyz`, { signal }).catch(() => ({ ok: false }));
    if (ok) break;
    await pause(200);
  }
  return 'answers';
}

/** The script of the journey: a new key and the block below the heading; the failure of any line fails the whole. */
function journeyOf(readme: Readme, port: number): string {
  const key = readme.command(/^(export KEY=.*)$/m);
  const typed = `set -euo pipefail\n${key}\n[ -n "$KEY" ]\n${readme.block(JOURNEY)}`;
  return typed.replaceAll('http://localhost:4000', `http://localhost:${port}`);
}

async function journey(typed: string, commands: Commands): Promise<void> {
  const step = 'the first journey of the README';
  const output = await commands.run(step, typed, JOURNEY_MINUTES, 'bash');
  for (const promised of PROMISED) {
    if (!output.includes(promised)) throw new Fault(step, `printed no ${promised}, but: ${lastLine(output)}`);
  }
}

async function stop(step: string, service: Command, commands: Commands): Promise<void> {
  service.signal('SIGINT');
  const status = await within(STOP_MINUTES, service.ended);
  if (status === undefined) {
    throw new Fault(step, `goes on after ${STOP_MINUTES} minutes: ${lastLine(service.output)}`);
  }
  if (!STOPPED.includes(status)) throw new Fault(step, `ended with ${status}: ${reasonIn(service.output)}`);
  await commands.noneLeft(step);
}
