import { expect, it } from 'vitest';
import { csvOf, type FocusRow } from '../../../support/focus.ts';
import { readBills, tagsOf } from './reading.ts';

/** A row as LiteLLM's FOCUS export writes it: the billing period is the day, the billing account an API key, and prices are
 *  missing. */
function liteLlm(day: string, next: string, spend: string): FocusRow {
  return {
    BilledCost: spend,
    BillingAccountId: 'sk-hash-1',
    BillingAccountName: 'batch key',
    BillingAccountType: 'API Key',
    BillingCurrency: 'USD',
    BillingPeriodEnd: `${next}T00:00:00Z`,
    BillingPeriodStart: `${day}T00:00:00Z`,
    ChargeCategory: 'Usage',
    ChargeClass: '',
    ChargeDescription: 'claude-sonnet',
    ChargeFrequency: 'Usage-Based',
    ChargePeriodEnd: `${next}T00:00:00Z`,
    ChargePeriodStart: `${day}T00:00:00Z`,
    ConsumedQuantity: '1.000000',
    ConsumedUnit: 'Requests',
    ContractedCost: spend,
    EffectiveCost: spend,
    InvoiceIssuerName: 'anthropic',
    InvoiceId: '',
    ListCost: spend,
    PricingCurrency: 'USD',
    PricingQuantity: '1.000000',
    PricingCurrencyEffectiveCost: spend,
    PricingUnit: 'Requests',
    ProviderName: 'anthropic',
    PublisherName: 'anthropic',
    RegionId: '',
    RegionName: '',
    ResourceId: 'claude-sonnet',
    ResourceName: 'claude-sonnet',
    ResourceType: 'claude-sonnet',
    ServiceCategory: 'AI and Machine Learning',
    ServiceSubcategory: 'Generative AI',
    ServiceName: 'chat',
    SubAccountId: 'team-1',
    SubAccountName: 'Support',
    SubAccountType: '',
    Tags: '{"team_alias": "Support", "model": "claude-sonnet"}',
  };
}

it('reads exports of LiteLLM, whose billing periods are days, into months', async () => {
  const rows = [liteLlm('2026-05-30', '2026-05-31', '0.125001'), liteLlm('2026-05-31', '2026-06-01', '2')];
  const { parts, facts } = await readBills({
    name: 'usage.csv',
    content: csvOf(rows, { columns: Object.keys(rows[0] ?? {}) }),
  });
  expect(parts.map(({ month, billed }) => [month, billed])).toEqual([['2026-05', '2.125001000000']]);
  const [fact] = await facts();
  expect(fact).toMatchObject({
    x_Provider: 'anthropic',
    ServiceName: 'chat',
    SubAccountId: 'team-1',
    RegionId: 'global',
    ResourceId: 'claude-sonnet',
    BillingAccountId: 'sk-hash-1',
  });
  expect(tagsOf(fact)).toEqual({ team_alias: 'Support', model: 'claude-sonnet' });
});
