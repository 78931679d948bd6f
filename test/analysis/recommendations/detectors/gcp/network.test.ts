import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { gcpCases } from './cases.ts';

describe('gcp_cloud_nat_idle', () => {
  const { subject } = gcpCases.gcp_cloud_nat_idle;
  const hours = { meter: 'Networking Cloud NAT Gateway Uptime', cost: '30' };
  const data = { meter: 'Networking Cloud Nat Data Processing', unit: 'GiBy', cost: '4' };
  const withUsage = (...usage: Parameters<typeof aUsage>[0][]) =>
    find('gcp_cloud_nat_idle', { subject: { ...subject, usage: usage.map(aUsage) } });

  it('saves the cost of hours and addresses', () => {
    expect(find('gcp_cloud_nat_idle', { subject })).toMatchObject({ saving: 30.4375, confidence: 'medium' });
    // 30 and 3 in 30 days are 1.1 per day, 33.48125 per month.
    expect(withUsage(hours, { meter: 'Networking Cloud NAT IP Usage', cost: '3' })?.saving).toBe(33.48125);
  });

  it('skips a gateway with traffic in the last 14 days', () => {
    expect(withUsage(hours, { ...data, recentQuantity: '0.001' })).toBeNull();
    expect(withUsage(hours, { ...data, recentQuantity: '0' })?.saving).toBe(30.4375);
    expect(withUsage(data)).toBeNull();
  });

  it('skips a gateway billed for less than 14 days', () => {
    expect(withUsage({ ...hours, days: 13 })).toBeNull();
    expect(withUsage({ ...hours, days: 14 })).not.toBeNull();
  });

  it("looks up the name of the router's gateway, then deletes it", async () => {
    const [script] = find('gcp_cloud_nat_idle', { subject })?.scripts() ?? [];
    const where = '--router=dev-nat --project=dev --region=europe-west1';
    expect((await runInShell(script?.script ?? '')).calls.map((call) => call.join(' '))).toEqual([
      `gcloud compute routers nats list ${where} --format=value(name)`,
      `gcloud compute routers nats delete stub-output ${where} --quiet`,
    ]);
    expect(script?.reversible).toBe(false);
  });
});

describe('gcp_forwarding_rule_idle', () => {
  const { subject } = gcpCases.gcp_forwarding_rule_idle;
  const hours = { meter: 'Cloud Load Balancer Forwarding Rule Minimum Global', cost: '18' };
  const data = { meter: 'Network Load Balancing: Data Processed in EMEA', unit: 'GiBy', cost: '4' };
  const withUsage = (...usage: Parameters<typeof aUsage>[0][]) =>
    find('gcp_forwarding_rule_idle', { subject: { ...subject, usage: usage.map(aUsage) } });

  it('saves the cost of the hours', () => {
    // 18 in 30 days are 0.6 per day, 18.2625 per month.
    expect(find('gcp_forwarding_rule_idle', { subject })?.saving).toBe(18.2625);
    expect(withUsage(hours)?.saving).toBe(18.2625);
  });

  it('skips a rule with traffic in the last 14 days', () => {
    expect(withUsage(hours, { ...data, recentQuantity: '0.001' })).toBeNull();
    expect(withUsage(hours, { ...data, recentQuantity: '0' })).not.toBeNull();
  });

  it('skips a rule billed for less than 14 days', () => {
    expect(withUsage({ ...hours, days: 13 })).toBeNull();
    expect(withUsage({ ...hours, days: 14 })).not.toBeNull();
  });

  it('has high confidence when the inventory lists no backend', () => {
    expect(find('gcp_forwarding_rule_idle', { subject })?.confidence).toBe('medium');
    expect(
      find('gcp_forwarding_rule_idle', { subject: { ...subject, metadata: { usedByCount: 0 } } })?.confidence,
    ).toBe('high');
  });
});
