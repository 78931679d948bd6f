import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { gcpCases } from './cases.ts';

describe('gcp_n1_upgrade', () => {
  const { subject } = gcpCases.gcp_n1_upgrade;
  const market = { provider: 'gcp', region: 'europe-west1' };
  const e2 = (core: string, ram: string) =>
    aContext({ 'E2 Instance Core running in EMEA': core, 'E2 Instance Ram running in EMEA': ram }, market);

  it("saves the difference to the account's price for E2", () => {
    // Cores: 201.60 - 5760 × 0.025 = 57.60. Memory: 100.80 - 21600 × 16 / 15 × 0.003 = 31.68. 89.28 in 30 days, 90.582 per month.
    expect(find('gcp_n1_upgrade', { subject, context: e2('0.025', '0.003') })).toMatchObject({
      saving: 90.582,
      method: 'observed',
    });
  });

  it('uses the memory of the equivalent E2 type, derived from the bill if not in the inventory', () => {
    const ram = (quantity: string, metadata: object) => {
      const usage = [
        aUsage({ meter: 'N1 Predefined Instance Core running in EMEA', quantity: '5760', cost: '201.6' }),
        aUsage({ meter: 'N1 Predefined Instance Ram running in EMEA', quantity, cost: '200' }),
      ];
      return find('gcp_n1_upgrade', { subject: { ...subject, metadata, usage }, context: e2('0.025', '0.003') })
        ?.saving;
    };
    // Cores: 57.60. 6.5 GiB per core become 8: 200 - 5760 × 8 × 0.003 = 61.76. 119.36 in 30 days, 121.100667 per month.
    expect(ram('37440', { instanceType: 'n1-highmem-8' })).toBe(121.100667);
    expect(ram('37440', {})).toBe(121.100667);
    // 0.9 become 1: 200 - 5760 × 0.003 = 182.72. 240.32 in 30 days, 243.824667 per month.
    expect(ram('5184', { instanceType: 'n1-highcpu-8' })).toBe(243.824667);
    expect(ram('5184', {})).toBe(243.824667);
  });

  it('offsets more expensive memory against cheaper cores', () => {
    // Memory: 100.80 - 23040 × 0.005 = -14.40. 43.20 in 30 days, 43.83 per month.
    const found = find('gcp_n1_upgrade', { subject, context: e2('0.025', '0.005') });
    expect(found?.saving).toBe(43.83);
    expect(found?.savings.every(({ amount }) => amount > 0n)).toBe(true);
    expect(find('gcp_n1_upgrade', { subject, context: e2('0.035', '0.005') })).toBeNull();
  });

  it('saves 5% when the account pays for no E2 in the region', () => {
    // 5% of 302.40 in 30 days: 15.12, 15.3405 per month.
    expect(find('gcp_n1_upgrade', { subject })).toMatchObject({ saving: 15.3405, method: 'factor' });
  });

  it('skips machines with GPUs or local SSDs, E2, spot, and members of instance groups and clusters', () => {
    const also = (meter: string) => ({ ...subject, usage: [...subject.usage, aUsage({ meter })] });
    expect(find('gcp_n1_upgrade', { subject: also('Nvidia Tesla T4 GPU running in EMEA') })).toBeNull();
    expect(find('gcp_n1_upgrade', { subject: also('SSD backed Local Storage') })).toBeNull();
    const usage = [aUsage({ meter: 'E2 Instance Core running in EMEA' })];
    expect(find('gcp_n1_upgrade', { subject: { ...subject, usage } })).toBeNull();
    const spot = [aUsage({ meter: 'Spot Preemptible N1 Predefined Instance Core running in EMEA', kind: 'spot' })];
    expect(find('gcp_n1_upgrade', { subject: { ...subject, usage: spot } })).toBeNull();
    expect(find('gcp_n1_upgrade', { subject: { ...subject, metadata: { scalingGroup: 'pool' } } })).toBeNull();
    expect(find('gcp_n1_upgrade', { subject: { ...subject, tags: { 'goog-k8s-cluster-name': 'apps' } } })).toBeNull();
  });

  it.each([
    ['n1-standard-2', 'e2-standard-2'],
    ['n1-standard-32', 'e2-standard-32'],
    ['n1-highmem-16', 'e2-highmem-16'],
    ['n1-highcpu-8', 'e2-highcpu-8'],
  ])('moves %s to %s', async (instanceType, target) => {
    const found = find('gcp_n1_upgrade', { subject: { ...subject, metadata: { instanceType } } });
    const { calls } = await runInShell(found?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call[3])).toEqual(['stop', 'set-machine-type', 'start']);
    expect(calls[1]).toContain(`--machine-type=${target}`);
  });

  it.each(['n1-standard-1', 'n1-standard-64', 'n1-highmem-32', 'f1-micro'])('has no E2 type for %s', (instanceType) => {
    expect(find('gcp_n1_upgrade', { subject: { ...subject, metadata: { instanceType } } })).toBeNull();
  });

  it('has no script when the machine type is unknown', () => {
    expect(find('gcp_n1_upgrade', { subject: { ...subject, metadata: {} } })?.scripts()).toEqual([]);
  });
});

describe('gcp_nonprod_schedule', () => {
  const { subject } = gcpCases.gcp_nonprod_schedule;
  const withCore = (usage: Parameters<typeof aUsage>[0], instanceType?: string) =>
    find('gcp_nonprod_schedule', {
      subject: {
        ...subject,
        metadata: { instanceType },
        usage: [aUsage({ meter: 'E2 Instance Core running in EMEA', ...usage })],
      },
    });

  it('saves 70% of the cost of cores and memory, not of disks', () => {
    // 70% of 140 and 60 in 30 days: 140, 142.041666… per month.
    const usage = [...subject.usage, aUsage({ meter: 'Balanced PD Capacity', weekendQuantity: '192', cost: '500' })];
    expect(find('gcp_nonprod_schedule', { subject: { ...subject, usage } })?.saving).toBe(142.041667);
  });

  it('skips production, and machines created by a cluster or instance group', () => {
    expect(find('gcp_nonprod_schedule', { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(
      find('gcp_nonprod_schedule', { subject: { ...subject, tags: { env: 'dev', 'goog-gke-node': '' } } }),
    ).toBeNull();
    expect(find('gcp_nonprod_schedule', { subject: { ...subject, metadata: { scalingGroup: 'pool' } } })).toBeNull();
  });

  it('skips a machine that is off on weekends', () => {
    // 8 of the window's 30 days are on weekends: 95% of 720 × 8 / 30 are 182.4.
    expect(withCore({ quantity: '720', weekendQuantity: '182' })).toBeNull();
    expect(withCore({ quantity: '720', weekendQuantity: '183' })).not.toBeNull();
    expect(withCore({ quantity: '720', weekendQuantity: '192', days: 29 })).toBeNull();
  });

  it('treats 160 hours per week as always on if the machine type states the cores', () => {
    // 160 / 168 of 8 × 720 core hours: 5485.71.
    expect(withCore({ quantity: '5485', weekendQuantity: '1463' }, 'e2-standard-8')).toBeNull();
    expect(withCore({ quantity: '5486', weekendQuantity: '1463' }, 'e2-standard-8')).not.toBeNull();
    expect(withCore({ quantity: '5485', weekendQuantity: '1463' })).not.toBeNull();
  });

  it('has low confidence without known cores, and derives the cores of shared-core types', () => {
    const always = { quantity: '720', weekendQuantity: '192' };
    expect(withCore(always)).toMatchObject({ confidence: 'low', method: 'upper_bound' });
    expect(withCore(always, 'e2-medium')).toMatchObject({ confidence: 'medium', method: 'factor' });
    // 160 / 168 of a quarter of 720 core hours: 171.43.
    expect(withCore({ quantity: '171.4', weekendQuantity: '45.8' }, 'e2-micro')).toBeNull();
    expect(withCore({ quantity: '171.5', weekendQuantity: '45.8' }, 'e2-micro')).not.toBeNull();
  });

  it('starts the machine in the morning and stops it in the evening', async () => {
    const { calls } = await runInShell(find('gcp_nonprod_schedule', { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call.slice(2, 6).join(' '))).toEqual([
      'resource-policies create instance-schedule workbench-office-hours',
      'instances add-resource-policies workbench --project=dev',
    ]);
    expect(calls[0]).toContain('--vm-start-schedule=0 8 * * 1-5');
    expect(calls[0]).toContain('--region=europe-west1');
    expect(calls[1]).toContain('--zone=europe-west1-b');
  });
});
