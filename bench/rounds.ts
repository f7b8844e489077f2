import { type Drive, type Driven, type HttpRequest } from './load/http.js';
import { type Contender, type Scenario, type ServerName } from './scenarios/scenario.js';
import { type World } from './world.js';

/** The result of one contender in one round. */
export interface Round {
  perSecond: number;
  /** CPU time of the server process, all threads, per request; in microseconds. */
  cpu: number;
  /** The number of responses. */
  answers: number;
}

/** The rounds of each contender; those of one index were run in turn. */
export type Rounds = Readonly<Record<string, readonly Round[]>>;

/** The warm-up of each contender, the number of its rounds, and the length of each, in milliseconds. */
export interface Pace {
  warmUp: number;
  rounds: number;
  milliseconds: number;
}

/** Sends each contender's first request once and compares the responses. @throws Error when two differ. */
export async function assertSame(
  portOf: (server: ServerName) => number,
  { name, contenders }: Scenario,
): Promise<void> {
  let first: { contender: string; body: string } | undefined;
  for (const [contender, { on, requests, status, comparable }] of Object.entries(contenders)) {
    const response = await send(portOf(on), requests[0]!);
    const text = await response.text();
    if (response.status !== status) throw new Error(`${name}: ${contender} answers ${response.status} ${text}`);
    if (comparable === undefined) continue;
    const body = comparable(text);
    first ??= { contender, body };
    if (body !== first.body) {
      throw new Error(`${name}: the answers differ.\n${first.contender}: ${first.body}\n${contender}: ${body}`);
    }
  }
}

async function send(port: number, { method, path, key, body }: HttpRequest): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body ?? null,
  });
}

/** Runs the contenders in turns after their warm-up. Each round starts with another one. */
export async function runRounds(world: World, scenario: Scenario, pace: Pace): Promise<Rounds> {
  const { warmUp, rounds, milliseconds } = pace;
  const names = Object.keys(scenario.contenders);
  const results = Object.fromEntries(names.map((name) => [name, [] as Round[]]));
  for (const name of names) await driveOnce(world, scenario, name, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index] of names.entries()) {
      const name = names[(index + round) % names.length]!;
      results[name]!.push(await driveOnce(world, scenario, name, milliseconds));
    }
  }
  return results;
}

/** Runs one contender alone for this time. */
export async function driveOnce(
  { servers, load }: World,
  { contenders, connections }: Scenario,
  name: string,
  milliseconds: number,
): Promise<Round> {
  const { on, requests, status }: Contender = contenders[name]!;
  const { child, port } = servers[on];
  const before = await child.ask<number>('cpu');
  const order: Drive = { port, requests, status, connections, milliseconds };
  const { answers, seconds } = await load.ask<Driven>('drive', order);
  const after = await child.ask<number>('cpu');
  return { perSecond: answers / seconds, cpu: (after - before) / answers, answers };
}
