import { RENEWALS_AT_ONCE } from '../../../src/features/integrations/integration.job.js';
import { RenewalSlots } from '../../../src/features/integrations/tokens/renewal-slots.js';

/** How many slots are taken until the next one is refused. */
function takeAll(slots: RenewalSlots, account: (index: number) => string, provider: string): (() => void)[] {
  const frees: (() => void)[] = [];
  for (;;) {
    const free = slots.take(account(frees.length), provider);
    if (free === undefined) return frees;
    frees.push(free);
  }
}

describe('the slots for renewals', () => {
  it('are 60 in a process: 30 for one account, 48 for one provider', () => {
    expect(RENEWALS_AT_ONCE).toBe(60);
    expect(takeAll(new RenewalSlots(60), () => 'a', 'p')).toHaveLength(30);
    expect(takeAll(new RenewalSlots(60), (index) => `a${index}`, 'p')).toHaveLength(48);
  });

  it('leave some to other accounts of a provider whose slots one account uses', () => {
    const slots = new RenewalSlots(60);
    takeAll(slots, () => 'a', 'p');
    expect(slots.take('b', 'p')).toBeDefined();
  });

  it('leave some to newcomers while two providers and an account use their shares', () => {
    const slots = new RenewalSlots(60);
    for (const provider of ['p', 'q']) takeAll(slots, (index) => `${provider}${index}`, provider);
    takeAll(slots, () => 'a', 'of a');
    expect(slots.take('new', 'own')).toBeDefined();
    expect(slots.take('newer', 'own too')).toBeDefined();
  });

  it('are free again after a renewal', () => {
    const slots = new RenewalSlots(60);
    const frees = takeAll(slots, () => 'a', 'p');
    frees[0]!();
    expect(takeAll(slots, () => 'a', 'p')).toHaveLength(1);
    frees.slice(1).forEach((free) => free());
    expect(slots.free).toBe(59);
  });

  it('are at least one, also for a process with no more', () => {
    expect(new RenewalSlots(1).take('a', 'p')).toBeDefined();
  });
});
