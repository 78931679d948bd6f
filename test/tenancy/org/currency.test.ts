import { expect, it } from 'vitest';
import { parseCurrency } from '../../../src/tenancy/org/organization.ts';

it('accepts ISO 4217 codes', () => {
  expect(['USD', 'EUR', 'JPY', 'CHF', 'INR'].map((code) => parseCurrency(code, 'currency'))).toHaveLength(5);
});

it.each(['', 'usd', 'US', 'ZZZ', 'USD ', 'US$'])('rejects %j, naming the field', (code) => {
  expect(() => parseCurrency(code, 'rates[2].from')).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      message: `rates[2].from "${code}" must be an ISO 4217 code such as "USD"`,
    }),
  );
});
