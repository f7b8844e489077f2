import { describe, expect, it } from '@jest/globals';
import { scryptSync } from 'node:crypto';
import { MAX_WAITING, PasswordTurns } from '../../src/features/users/sign-in/password-turns.js';
import { until } from '../support/until.js';
import { SCRYPT } from '../../src/platform/encryption/password-hash.js';

/** The places that one network alone may have. */
const SHARE = Math.floor((2 * MAX_WAITING) / 3);

/** A hash that ends when the test says so. */
class Scrypt {
  readonly begun: string[] = [];
  private end: (() => void) | undefined;

  readonly hash = (password: string): Promise<string> => {
    expect(this.end).toBeUndefined();
    this.begun.push(password);
    return new Promise((resolve) => {
      this.end = () => resolve(`hash of ${password}`);
    });
  };

  readonly verify = async ({ hash, password }: { hash: string; password: string }): Promise<boolean> =>
    (await this.hash(password)) === hash;

  /** Ends the hash under way, or the next one, which begins after a rest. */
  async next(): Promise<void> {
    await until(() => this.end !== undefined);
    const { end } = this;
    this.end = undefined;
    end!();
    await new Promise(setImmediate);
  }
}

describe('passwords', () => {
  it('are hashed one at a time, by the turns of networks', async () => {
    const scrypt = new Scrypt();
    const turns = new PasswordTurns(scrypt);
    const guesses = ['1', '2', '3'].map((guess) =>
      turns.of('192.0.2.1', () => turns.verify({ hash: 'hash of 3', password: guess })),
    );
    const own = turns.of('198.51.100.1', () => turns.hash('own'));
    for (let ended = 0; ended < 3; ended += 1) await scrypt.next();
    expect(scrypt.begun.slice(0, 3)).toEqual(['1', 'own', '2']);
    expect(await own).toBe('hash of own');
    await scrypt.next();
    expect(await Promise.all(guesses)).toEqual([false, false, true]);
  });

  it('are refused when too many of one network wait, until one has ended', async () => {
    const scrypt = new Scrypt();
    const turns = new PasswordTurns(scrypt);
    const waiting: Promise<string>[] = [];
    const guess = () => turns.of('192.0.2.1', () => turns.hash('guess'));
    for (let place = 0; place < SHARE; place += 1) waiting.push(guess());
    await expect(guess()).rejects.toMatchObject({ code: 'unavailable' });
    await scrypt.next();
    await waiting[0];
    const last = guess();
    for (let ended = 1; ended <= SHARE; ended += 1) await scrypt.next();
    expect([await last, scrypt.begun.length]).toEqual(['hash of guess', SHARE + 1]);
    await Promise.all(waiting);
  });

  it.each<[string, (network: number) => string]>([
    ['addresses', (network) => `192.0.2.${network}`],
    ['sites of IPv6', (network) => `2001:db8:${network}::1`],
    ['networks of one site of IPv6', (network) => `2001:db8:0:${network}::1`],
  ])('leave a place and an early turn to another network, however many come from eight %s', async (_, addressOf) => {
    const scrypt = new Scrypt();
    const turns = new PasswordTurns(scrypt);
    const guesses = Array.from({ length: 8 * 30 }, (_guess, n) =>
      turns.of(addressOf(n % 8), () => turns.hash('guess')).catch(() => 'refused'),
    );
    const own = turns.of('2001:db9::1', () => turns.hash('own')).catch(() => 'refused');
    for (let ended = 0; ended < 10; ended += 1) await scrypt.next();
    expect(await own).toBe('hash of own');
    void Promise.all(guesses);
  });
});

describe('the hash of the service, which other tests replace by a cheap one', () => {
  it('is scrypt over 32 MB, with a salt for each password', async () => {
    const password = 'correct horse battery';
    const [first, second] = await Promise.all([SCRYPT.hash(password), SCRYPT.hash(password)]);
    expect(first).not.toBe(second);
    const [salt, key] = first.split(':') as [string, string];
    const cost = { N: 2 ** 14, r: 16, p: 1, maxmem: 2 ** 26 };
    expect(scryptSync(password, salt, 64, cost).toString('hex')).toBe(key);
    expect(await SCRYPT.verify({ hash: second, password })).toBe(true);
    expect(await SCRYPT.verify({ hash: second, password: `${password}!` })).toBe(false);
  });
});
