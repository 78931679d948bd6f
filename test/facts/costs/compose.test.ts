import { expect, it } from 'vitest';
import { composeDaily, type AnswerFacts } from '../../../src/facts/costs/compose.ts';
import { resolveQuestion } from '../../../src/facts/costs/question.ts';

it('limits the groups of all days together', async () => {
  const question = resolveQuestion(
    { view: 'daily', groupBy: 'service', startDate: '2026-09-01', endDate: '2026-10-10' },
    '2026-11-01',
  );
  const factsOf = (services: number) => ({
    question,
    ledger: { currency: 'USD', accounts: [] },
    accounts: [],
    provisionalRates: [],
    subAccountNames: new Map(),
    cells: Array.from({ length: services * 40 }, (_, at) => ({
      period: `2026-${at % 40 < 30 ? '09' : '10'}-${String(((at % 40) % 30) + 1).padStart(2, '0')}`,
      keys: ['aws', `service-${Math.floor(at / 40)}`],
      unconverted: null,
      cost: 1_000_000_000_000n,
    })),
  });
  const compose = (services: number) =>
    composeDaily(factsOf(services) as unknown as AnswerFacts, new AbortController().signal);
  const { days } = await compose(2_500);
  expect([days.length, days.every(({ groups }) => groups?.length === 2_500)]).toEqual([40, true]);
  await expect(compose(2_501)).rejects.toThrow(
    'group_by "service" splits the days into 100,040 groups; at most 100,000 are allowed; request fewer days, or use filters',
  );
});
