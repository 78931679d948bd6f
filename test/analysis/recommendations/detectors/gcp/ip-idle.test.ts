import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { gcpCases } from './cases.ts';

const { subject } = gcpCases.gcp_ip_idle;
const script = (nativeId: string) =>
  find('gcp_ip_idle', { subject: { ...subject, nativeId } })?.scripts()[0]?.script ?? '';

describe('gcp_ip_idle', () => {
  it('saves the full cost of the address', () => {
    // 7.20 in 30 days are 0.24 per day, 7.305 per month.
    expect(find('gcp_ip_idle', { subject })?.saving).toBe(7.305);
  });

  it('skips an address in use, which has another SKU', () => {
    const usage = [aUsage({ meter: 'External IP Charge on a Standard VM' })];
    expect(find('gcp_ip_idle', { subject: { ...subject, usage } })).toBeNull();
  });

  it('skips an address that is in use now, however long it was idle before', () => {
    const idle = (recentQuantity: string) => ({
      subject: { ...subject, usage: [aUsage({ meter: 'Static Ip Charge', recentQuantity })] },
    });
    expect(find('gcp_ip_idle', idle('288'))).not.toBeNull();
    expect(find('gcp_ip_idle', idle('287.9'))).toBeNull();
    expect(find('gcp_ip_idle', { subject: { ...subject, metadata: { attachedTo: 'vm' } } })).toBeNull();
  });

  it('releases a regional address in its region and a global one globally', async () => {
    const regional = ['gcloud', 'compute', 'addresses', 'delete', 'old-vpn', '--project=dev', '--region=europe-west1'];
    expect((await runInShell(script(subject.nativeId))).calls).toEqual([regional]);
    const global = '//compute.googleapis.com/projects/dev/global/addresses/old-vpn';
    expect((await runInShell(script(global))).calls).toEqual([[...regional.slice(0, 6), '--global']]);
  });
});
