import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { find } from '../../subject.ts';
import { azureCases } from './cases.ts';

describe('azure_disk_unattached', () => {
  const { subject } = azureCases.azure_disk_unattached;
  const withMetadata = (metadata: typeof subject.metadata) =>
    find('azure_disk_unattached', { subject: { ...subject, metadata } });

  it('saves the full cost of the disk', () => {
    // 30 in 30 days are 1 per day, 30.4375 per month.
    const stateSince = '2026-09-01';
    expect(withMetadata({ attachedTo: null, stateSince })).toMatchObject({
      saving: 30.4375,
      confidence: 'high',
      method: 'upper_bound',
    });
    expect(find('azure_disk_unattached', { subject })).toMatchObject({
      confidence: 'medium',
      evidence: { unattached_since: null },
    });
  });

  it('skips disks that are in use, not in the inventory, or being exported', () => {
    expect(withMetadata({ attachedTo: 'vm-1' })).toBeNull();
    expect(withMetadata({})).toBeNull();
    expect(withMetadata({ attachedTo: null, state: 'activesas' })).toBeNull();
    expect(withMetadata({ attachedTo: null, state: 'activesasfrozen' })).toBeNull();
    expect(withMetadata({ state: 'unattached' })?.saving).toBe(30.4375);
  });

  it('waits until the disk has been unattached for 7 days', () => {
    expect(withMetadata({ attachedTo: null, stateSince: '2026-11-13' })).toBeNull();
    expect(withMetadata({ attachedTo: null, stateSince: '2026-11-12T10:00:00Z' })?.saving).toBe(30.4375);
  });

  it('takes a snapshot in the same resource group before it deletes', async () => {
    const [script] = find('azure_disk_unattached', { subject })?.scripts() ?? [];
    const { calls } = await runInShell(script?.script ?? '');
    const snapshot = 'az snapshot create --subscription=s-1 --resource-group=legacy --name=costkeep-old-data';
    expect(calls.map((call) => call.join(' '))).toEqual([
      `${snapshot} --location=westeurope --source=${subject.nativeId} --incremental=true`,
      `az disk delete --ids=${subject.nativeId} --yes`,
    ]);
    expect(script?.reversible).toBe(true);
  });
});

describe('azure_vm_deallocated_long', () => {
  const { subject } = azureCases.azure_vm_deallocated_long;
  const withMetadata = (metadata: typeof subject.metadata) =>
    find('azure_vm_deallocated_long', { subject: { ...subject, metadata: { ...subject.metadata, ...metadata } } });

  it('saves the full cost of the disk', () => {
    expect(find('azure_vm_deallocated_long', { subject })).toMatchObject({ saving: 30.4375, confidence: 'medium' });
  });

  it('skips disks of machines that run or have been off for an unknown time', () => {
    expect(withMetadata({ attachedToState: 'running' })).toBeNull();
    expect(withMetadata({ attachedToState: 'stopped' })).toBeNull();
    expect(withMetadata({ attachedToStateSince: undefined })).toBeNull();
    expect(withMetadata({ attachedTo: null })).toBeNull();
  });

  it('waits for 30 days', () => {
    expect(withMetadata({ attachedToStateSince: '2026-10-21' })).toBeNull();
    expect(withMetadata({ attachedToStateSince: '2026-10-20' })?.saving).toBe(30.4375);
  });

  it('detaches the disk between snapshot and deletion', async () => {
    const { calls } = await runInShell(find('azure_vm_deallocated_long', { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call.filter((word) => !word.startsWith('--')).join(' '))).toEqual([
      'az snapshot create',
      'az vm disk detach',
      'az disk delete',
    ]);
  });
});
