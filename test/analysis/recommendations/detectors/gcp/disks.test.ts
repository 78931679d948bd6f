import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aContext, aUsage, find } from '../../subject.ts';
import { aGoogle, gcpCases } from './cases.ts';

const place = '--project=dev';

describe('gcp_disk_unattached', () => {
  const { subject } = gcpCases.gcp_disk_unattached;
  const withMetadata = (metadata: typeof subject.metadata) =>
    find('gcp_disk_unattached', { subject: { ...subject, metadata } });

  it('saves the full cost of the disk', () => {
    // 30 in 30 days are 1 per day, 30.4375 per month.
    expect(find('gcp_disk_unattached', { subject })).toMatchObject({ saving: 30.4375, confidence: 'medium' });
    const metadata = { attachedTo: null, stateSince: '2026-09-01' };
    expect(find('gcp_disk_unattached', { subject: { ...subject, metadata } })).toMatchObject({
      confidence: 'high',
      method: 'upper_bound',
      evidence: { unattached_since: '2026-09-01' },
    });
  });

  it('skips a disk that is in use or not in the inventory', () => {
    expect(withMetadata({ attachedTo: 'vm-1' })).toBeNull();
    expect(withMetadata({})).toBeNull();
  });

  it('waits until the disk has been unattached for 7 days', () => {
    expect(withMetadata({ attachedTo: null, stateSince: '2026-11-13' })).toBeNull();
    expect(withMetadata({ attachedTo: null, stateSince: '2026-11-12T10:00:00Z' })?.saving).toBe(30.4375);
  });

  it('takes a snapshot before it deletes, in the zone or region of the disk', async () => {
    const calls = async (nativeId: string) => {
      const [script] = find('gcp_disk_unattached', { subject: { ...subject, nativeId } })?.scripts() ?? [];
      return (await runInShell(script?.script ?? '')).calls.map((call) => call.join(' '));
    };
    expect(await calls(subject.nativeId)).toEqual([
      `gcloud compute disks snapshot scratch ${place} --snapshot-names=scratch-costkeep --zone=europe-west1-b`,
      `gcloud compute disks delete scratch ${place} --zone=europe-west1-b --quiet`,
    ]);
    const regional = '//compute.googleapis.com/projects/dev/regions/europe-west1/disks/scratch';
    expect((await calls(regional))[1]).toBe(
      `gcloud compute disks delete scratch ${place} --region=europe-west1 --quiet`,
    );
  });
});

describe('gcp_stopped_vm_disks', () => {
  const { subject } = gcpCases.gcp_stopped_vm_disks;
  const withMetadata = (metadata: typeof subject.metadata) =>
    find('gcp_stopped_vm_disks', { subject: { ...subject, metadata: { ...subject.metadata, ...metadata } } });

  it('saves the full cost of the disk', () => {
    expect(find('gcp_stopped_vm_disks', { subject })).toMatchObject({ saving: 30.4375, confidence: 'medium' });
  });

  it('skips disks of machines that run or have been off for an unknown time', () => {
    expect(withMetadata({ attachedToState: 'running' })).toBeNull();
    expect(withMetadata({ attachedToStateSince: undefined })).toBeNull();
    expect(withMetadata({ attachedTo: null })).toBeNull();
  });

  it('waits for 30 days', () => {
    expect(withMetadata({ attachedToStateSince: '2026-10-21' })).toBeNull();
    expect(withMetadata({ attachedToStateSince: '2026-10-20' })?.saving).toBe(30.4375);
  });

  it('detaches the disk between snapshot and deletion', async () => {
    const { calls } = await runInShell(find('gcp_stopped_vm_disks', { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call.slice(2, 5).join(' '))).toEqual([
      'disks snapshot build-data',
      'instances detach-disk build',
      'disks delete build-data',
    ]);
    expect(calls[1]).toContain('--zone=europe-west1-b');
  });

  it("detaches a regional disk from the machine in the machine's zone", async () => {
    const nativeId = '//compute.googleapis.com/projects/dev/regions/europe-west1/disks/build-data';
    const { calls } = await runInShell(
      find('gcp_stopped_vm_disks', { subject: { ...subject, nativeId } })?.scripts()[0]?.script ?? '',
    );
    expect(calls.map((call) => call.slice(5).join(' '))).toEqual([
      '--project=dev --snapshot-names=build-data-costkeep --region=europe-west1',
      '--project=dev --zone=europe-west1-b --disk=build-data --disk-scope=regional',
      '--project=dev --region=europe-west1 --quiet',
    ]);
  });
});

describe('gcp_pd_ssd_balanced', () => {
  const { subject } = gcpCases.gcp_pd_ssd_balanced;
  const market = { provider: 'gcp', region: 'europe-west1' };

  it('saves 40% when the account pays for no balanced disk in the region', () => {
    // 36 of 90 in 30 days, 36.525 per month.
    expect(find('gcp_pd_ssd_balanced', { subject })).toMatchObject({ saving: 36.525, method: 'factor' });
  });

  it("uses the account's price for balanced disks", () => {
    // 90 - 500 × 0.12 = 30 in 30 days, 30.4375 per month.
    const context = aContext({ 'Balanced PD Capacity': '0.12' }, market);
    expect(find('gcp_pd_ssd_balanced', { subject, context })).toMatchObject({ saving: 30.4375, method: 'observed' });
  });

  it('finds nothing when balanced disks cost the same', () => {
    expect(
      find('gcp_pd_ssd_balanced', { subject, context: aContext({ 'Balanced PD Capacity': '0.18' }, market) }),
    ).toBeNull();
    expect(
      find('gcp_pd_ssd_balanced', { subject, context: aContext({ 'Balanced PD Capacity': '0.179' }, market) }),
    ).not.toBeNull();
  });

  it('skips production, and other disk types', () => {
    expect(find('gcp_pd_ssd_balanced', { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(
      find('gcp_pd_ssd_balanced', { subject: { ...subject, usage: [aUsage({ meter: 'Storage PD Capacity' })] } }),
    ).toBeNull();
  });

  it('has no script for a regional disk', () => {
    const regional = aGoogle('//compute.googleapis.com/projects/dev/regions/europe-west1/disks/d', {
      tags: { env: 'dev' },
      usage: [{ meter: 'Regional SSD backed PD Capacity' }],
    });
    expect(find('gcp_pd_ssd_balanced', { subject: regional })?.scripts()).toEqual([]);
  });
});
