import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { anAzure, azureCases } from './cases.ts';

const group = '/subscriptions/s-1/resourcegroups/legacy/providers';

describe.each([
  ['azure_appgw_no_backend', azureCases.azure_appgw_no_backend, 'az network application-gateway delete'],
  ['azure_appservice_plan_empty', azureCases.azure_appservice_plan_empty, 'az appservice plan delete'],
  ['azure_ddos_plan_unassociated', azureCases.azure_ddos_plan_unassociated, 'az network ddos-protection delete'],
  ['azure_lb_no_backend', azureCases.azure_lb_no_backend, 'az network lb delete'],
  ['azure_nat_gateway_orphan', azureCases.azure_nat_gateway_orphan, 'az network nat gateway delete'],
  ['azure_sql_elastic_pool_empty', azureCases.azure_sql_elastic_pool_empty, 'az sql elastic-pool delete'],
  ['azure_vnet_gateway_idle', azureCases.azure_vnet_gateway_idle, 'az network vnet-gateway delete'],
] as const)('$0', (detector, { subject }, command) => {
  it('saves the full cost of an unused resource', () => {
    // 30 in 30 days are 1 per day, 30.4375 per month.
    expect(find(detector, { subject })).toMatchObject({ saving: 30.4375, confidence: 'high', method: 'observed' });
  });

  it('skips resources that are in use, not in the inventory, or of another type', () => {
    expect(find(detector, { subject: { ...subject, metadata: { usedByCount: 1 } } })).toBeNull();
    expect(find(detector, { subject: { ...subject, metadata: {} } })).toBeNull();
    const other = anAzure('microsoft.network/virtualnetworks', 'net', { metadata: { usedByCount: 0 } });
    expect(find(detector, { subject: other })).toBeNull();
  });

  it('excludes usage covered by a commitment', () => {
    const covered = aUsage({ kind: 'reserved', cost: '300' });
    expect(find(detector, { subject: { ...subject, usage: [...subject.usage, covered] } })?.saving).toBe(30.4375);
    expect(find(detector, { subject: { ...subject, usage: [covered] } })).toBeNull();
  });

  it('deletes the resource, and marks that as irreversible', async () => {
    const [script] = find(detector, { subject })?.scripts() ?? [];
    const { calls } = await runInShell(script?.script ?? '');
    expect(calls.map((call) => call.join(' '))).toEqual([expect.stringContaining(`${command} --ids=${group}/`)]);
    expect(script?.reversible).toBe(false);
  });
});
