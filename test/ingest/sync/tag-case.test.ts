import { expect, it } from 'vitest';
import { costsByTag } from '../../../src/facts/costs/run.ts';
import { evaluateTags } from '../../../src/facts/tags/evaluation/evaluate.ts';
import { pageTags } from '../../../src/facts/tags/run.ts';
import { aLine } from '../../support/focus.ts';
import { billsOfFile, factsOf } from '../world.ts';

const bills = billsOfFile();

it.each(['{"App":"x","app":"y"}', '{"app":"y","App":"x"}'])(
  'keeps tag keys that differ only in case, and counts their charge once: %s',
  async (Tags) => {
    const account = await bills();
    const { deps, scope, accountId } = account;
    await account.put('a.csv', [
      aLine({ day: '2026-08-03', cost: '10', Tags }),
      aLine({ day: '2026-08-03', cost: '3', Tags: '{"app":"y"}' }),
      aLine({ day: '2026-08-03', cost: '1' }),
    ]);
    await account.sync();
    const facts = await factsOf(account);
    expect(facts.map(({ tags }) => tags)).toContain('{"App":"x","app":"y"}');
    for (const more of [{}, { service: ['Virtual Machines'] }]) {
      const range = { startDate: '2026-08-01', endDate: '2026-08-05' };
      const { groups } = await costsByTag(deps, scope, { tagKey: 'APP', ...range, ...more });
      expect(groups.map(({ tagValue, cost }) => `${tagValue} ${cost}`).toSorted()).toEqual(['null 1', 'x 10', 'y 3']);
    }
    await evaluateTags(deps, scope, accountId);
    const { rows } = await pageTags(deps, scope, {}, { skip: 0, take: 9 });
    expect(rows).toMatchObject([{ valueCount: 2, costLast30Days: 13, coveragePercent: 92.86 }]);
  },
);
