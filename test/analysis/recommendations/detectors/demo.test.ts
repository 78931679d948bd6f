import { describe, expect, it } from 'vitest';
import { detectors } from '../../../../src/analysis/recommendations/detectors/all.ts';
import { recommend } from '../../../../src/analysis/recommendations/evaluation/recommend.ts';
import { azure } from '../../../../src/sample/azure/cloud.ts';
import { gcp } from '../../../../src/sample/gcp/cloud.ts';
import { type SampleWaste, sampleWaste } from '../../../sample/waste.ts';
import { demoSubjects } from '../demo.ts';

type Types = Partial<Record<SampleWaste['kind'], RegExp>>;

/** The recommendation types that match each kind of waste known to be in the sample. */
const azureTypes: Types = {
  unattached_disk: /^azure_disk_unattached$/,
  old_snapshot: /^azure_snapshot_old$/,
  idle_address: /^azure_public_ip_orphan$/,
  idle_nat_gateway: /^azure_nat_gateway_idle$/,
  idle_load_balancer: /^azure_appgw_no_backend$/,
  previous_generation: /^azure_vm_previous_gen$/,
  nonproduction_always_on: /^azure_nonprod_schedule$/,
  never_read_storage: /^azure_storage_hot_cold$/,
  empty_plan: /^azure_appservice_plan_empty$/,
};

const gcpTypes: Types = {
  unattached_disk: /^gcp_disk_unattached$/,
  old_snapshot: /^gcp_snapshot_old$/,
  idle_address: /^gcp_ip_idle$/,
  idle_nat_gateway: /^gcp_cloud_nat_idle$/,
  idle_load_balancer: /^gcp_forwarding_rule_idle$/,
  previous_generation: /^gcp_n1_upgrade$/,
  nonproduction_always_on: /^gcp_nonprod_schedule$/,
  nonproduction_high_availability: /^gcp_cloudsql_ha_nonprod$/,
  never_read_storage: /^gcp_gcs_standard_cold$/,
};

/** Recommendations outside the sample's known waste. */
const beyond = {
  azure: ['azure_vm_deallocated_long pricing-data'],
  gcp: [
    'gcp_logging_storage _Default',
    // Also on an old machine type: the schedule saves more on the same charges.
    'gcp_nonprod_schedule qa-devices',
    'gcp_pd_ssd_balanced dev-workbench-data',
    'gcp_stopped_vm_disks model-cache',
  ],
};

describe.each([
  { provider: 'azure' as const, cloud: azure, types: azureTypes },
  { provider: 'gcp' as const, cloud: gcp, types: gcpTypes },
])('the detectors of $provider on the sample', ({ provider, cloud, types }) => {
  const { subjects, context } = demoSubjects(cloud);
  const found = subjects.flatMap((subject) => {
    const { drafts, withheld } = recommend(subject, detectors, context);
    return [
      ...drafts.map(({ type }) => ({ type, subject, isRecommended: true })),
      ...withheld.map(({ fingerprint }) => ({ type: fingerprint.split(':')[0] ?? '', subject, isRecommended: false })),
    ];
  });
  const known = sampleWaste.filter((waste) => waste.provider === provider);

  it('find all known waste', () => {
    const missed = known.filter(
      ({ nativeId, kind }) =>
        !found.some(({ type, subject }) => subject.nativeId === nativeId && types[kind]?.test(type)),
    );
    expect(missed).toEqual([]);
    expect(known.length).toBeGreaterThan(10);
  });

  it('recommend nothing for resources in use', () => {
    const others = found.filter(
      ({ type, subject, isRecommended }) =>
        isRecommended && !known.some(({ nativeId, kind }) => subject.nativeId === nativeId && types[kind]?.test(type)),
    );
    expect(others.map(({ type, subject }) => `${type} ${subject.name}`).sort()).toEqual(beyond[provider]);
  });
});
