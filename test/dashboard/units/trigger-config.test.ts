import { configOf, EMPTY_FIELDS } from '../../../src/dashboard/triggers/trigger-config.js';

describe('the config of a webhook trigger, from its form', () => {
  const withSecret = (secret: string) => ({ ...EMPTY_FIELDS, 'config.secret': secret });

  it('removes a stored secret whose field was emptied: without the key, the service keeps it', () => {
    expect(configOf('WEBHOOK', withSecret(''), [], { secret: 'old', note: 1 })).toEqual({ secret: null, note: 1 });
  });

  it('has no secret where there was none', () => {
    expect(configOf('WEBHOOK', withSecret(''), [], { note: 1 })).toEqual({ note: 1 });
    expect(configOf('WEBHOOK', withSecret(''), [])).toEqual({});
  });

  it('keeps the stored secret, or has the new one', () => {
    for (const secret of ['old', 'new']) {
      expect(configOf('WEBHOOK', withSecret(secret), [], { secret: 'old' })).toEqual({ secret });
    }
  });
});
