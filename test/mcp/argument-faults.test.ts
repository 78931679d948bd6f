import { describe, expect, it } from 'vitest';
import { argumentsOf } from '../../src/mcp/tools/tool.ts';
import { createBudget } from '../../src/mcp/tools/budgets.ts';
import { getCostBreakdown } from '../../src/mcp/tools/costs/get-cost-breakdown.ts';
import { getCostSummary } from '../../src/mcp/tools/costs/get-cost-summary.ts';

const budget = { name: 'Cloud', amount: 5 };

describe('an invalid argument', () => {
  it.each([
    [{ name: 'Cloud' }, 'amount is required'],
    [{}, 'name is required; amount is required'],
    [{ ...budget, name: '' }, 'name must have at least 1 character'],
    [{ ...budget, name: 'x'.repeat(101) }, 'name must have at most 100 characters'],
    [{ ...budget, amount: 'five' }, 'amount must be a number, not "five"'],
    [{ ...budget, amount: 0 }, 'amount must be more than 0, not 0'],
    [{ ...budget, currency: 'EURO' }, 'currency must have exactly 3 characters'],
    [{ ...budget, slack: 'yes' }, 'slack must be true or false, not "yes"'],
    [{ ...budget, emails: ['ana'] }, 'emails.0 must be an email address, not "ana"'],
    [{ ...budget, alert_thresholds: [] }, 'alert_thresholds must have at least 1 value'],
    [{ ...budget, alert_thresholds: [2000] }, 'alert_thresholds.0 must be at most 1000, not 2000'],
    [{ ...budget, cost_metric: 'net' }, 'cost_metric must be one of effective, billed, list, contracted, not "net"'],
  ])('of create_budget is described in plain words, without schema terms: %j', (args, message) => {
    expect(() => argumentsOf(createBudget.input, args)).toThrow(expect.objectContaining({ message }));
  });

  it('is described once if its type is wrong, without the length of another type', () => {
    expect(() => argumentsOf(getCostBreakdown.input, { group_by: 'service' })).toThrow(
      expect.objectContaining({ message: 'group_by must be a list, not "service"' }),
    );
  });

  it('keeps the message that a schema defines', () => {
    expect(() => argumentsOf(getCostSummary.input, { service: [] })).toThrow('service: Use 1 to 50 values');
  });
});
