import { type Grant } from '../../../src/features/integrations/tokens/oauth-client.js';
import { tokenLife } from '../../../src/features/integrations/tokens/token-life.js';

const DAY = 86_400;
const now = new Date('2026-11-21T12:00:00Z');

/** Each time of the grant's life in seconds from now; null if there is none. */
function life(grant: Partial<Grant>, { kept = null as number | null, refresh = true, jitter = 1 } = {}) {
  const whole: Grant = {
    accessToken: 'a',
    refreshToken: undefined,
    expiresIn: undefined,
    refreshExpiresIn: undefined,
    scopes: undefined,
    captured: {},
    ...grant,
  };
  const keptEnd = kept === null ? null : new Date(now.getTime() + kept * 1_000);
  const moments = tokenLife(whole, refresh, keptEnd, now, jitter);
  const seconds = (date: Date | null) => date && (date.getTime() - now.getTime()) / 1_000;
  return { ends: seconds(moments.expiresAt), renews: seconds(moments.renewAt), told: seconds(moments.noticeAt) };
}

describe('the life of tokens', () => {
  it('ends with the refresh token if its end is stated, else with the access token', () => {
    expect(life({ expiresIn: 3_600, refreshExpiresIn: 90 * DAY }).ends).toBe(90 * DAY);
    expect(life({ expiresIn: 3_600 }).ends).toBe(3_600);
    expect(life({}).ends).toBeNull();
    expect(life({ expiresIn: 3_600, refreshExpiresIn: 90 * DAY }, { refresh: false }).ends).toBe(3_600);
  });

  it('has its renewal at 72 to 80 % of the first end', () => {
    expect(life({ expiresIn: 3_600 }).renews).toBe(2_880);
    expect(life({ expiresIn: 3_600 }, { jitter: 0 }).renews).toBe(2_592);
    expect(life({ expiresIn: 3_600, refreshExpiresIn: 1_800 }).renews).toBe(1_440);
    expect(life({ refreshExpiresIn: 10 * DAY }).renews).toBe(8 * DAY);
  });

  it('has its renewal after a minute at the earliest, less the jitter of a tenth', () => {
    for (const expiresIn of [0.001, 1, 60, 75]) {
      expect(life({ expiresIn }).renews).toBe(60);
      expect(life({ expiresIn }, { jitter: 0 }).renews).toBe(54);
    }
    expect(life({ expiresIn: 80 }).renews).toBe(64);
  });

  it.each([17, 30, 60, 365])('renews a token of %i days at the latest 8 days before its end', (days) => {
    for (const jitter of [0, 0.5, 1]) {
      const { renews } = life({ expiresIn: days * DAY }, { jitter });
      expect(renews).toBeLessThanOrEqual((days - 8) * DAY);
      expect(renews).toBeGreaterThan(0);
    }
  });

  it('has no renewal without a refresh token or an end', () => {
    expect(life({ expiresIn: 3_600 }, { refresh: false }).renews).toBeNull();
    expect(life({}).renews).toBeNull();
  });

  it('has its notice seven days before the end, at once if less is left, never for less than a day', () => {
    expect(life({ expiresIn: 30 * DAY }).told).toBe(23 * DAY);
    expect(life({ expiresIn: 3_600, refreshExpiresIn: 90 * DAY }).told).toBe(83 * DAY);
    expect(life({ expiresIn: 7 * DAY }).told).toBe(0);
    expect(life({ expiresIn: DAY }).told).toBe(0);
    expect(life({ expiresIn: DAY - 1 }).told).toBeNull();
    expect(life({}).told).toBeNull();
  });

  it('keeps the end of a refresh token that was not replaced, and has no renewal that would gain nothing', () => {
    expect(life({ expiresIn: 3_600 }, { kept: 30 * DAY })).toMatchObject({ ends: 30 * DAY, renews: 2_880 });
    expect(life({ expiresIn: 3_600 }, { kept: 600 })).toMatchObject({ ends: 600, renews: null });
    expect(life({}, { kept: 600 })).toMatchObject({ ends: 600, renews: null });
  });
});
