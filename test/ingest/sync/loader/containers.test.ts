import { describe, expect, it } from 'vitest';
import { aLine, csvOf, focusColumns, type FocusRow } from '../../../support/focus.ts';
import { containersOf, loadMay } from './split-report.ts';

/** Containers and costs of charges on May 1, 2026. */
async function containers(rows: readonly FocusRow[], columns: readonly string[] = focusColumns['1.0']) {
  const { facts, totals } = await loadMay({ name: 'a.csv', content: csvOf(rows, { columns }) });
  return { containers: containersOf(facts), totals };
}

const tagged = (provider: string, tags: Readonly<Record<string, string>>, cost: string) =>
  aLine({ ProviderName: provider, Tags: JSON.stringify(tags), cost });

describe('containers in bills of other providers', () => {
  it('are those of GKE cost allocation, which has parts as charges', async () => {
    const labels = (namespace: string, rest = {}) => ({
      'goog-k8s-cluster-name': 'prod',
      'goog-k8s-cluster-location': 'europe-west1',
      'k8s-namespace': namespace,
      ...rest,
    });
    const rows = [
      tagged('Google Cloud', labels('web', { 'k8s-workload-name': 'shop', 'k8s-label/app': 'a' }), '4'),
      tagged('Google Cloud', labels('kube:unallocated'), '3'),
      tagged('Google Cloud', labels('kube:system-overhead'), '2'),
      tagged('Google Cloud', labels('goog-k8s-unknown'), '1'),
      tagged('Google Cloud', { 'goog-k8s-cluster-name': 'prod', 'goog-fleet-project': 'x' }, '0.5'),
    ];
    expect(await containers(rows)).toMatchObject({
      containers: [
        'prod (system) (system): 2',
        'prod (unused) (unused): 3',
        'prod - -: 0.5',
        'prod - -: 1',
        'prod web shop: 4',
      ],
      totals: [{ billed: '10.500000000000' }],
    });
  });

  it('are those that AKS tags: clusters of nodes, and namespaces of volumes and addresses', async () => {
    const rows = [
      tagged('Microsoft', { 'aks-managed-cluster-name': 'shop', 'aks-managed-poolName': 'system' }, '5'),
      tagged(
        'Microsoft',
        { 'kubernetes.io-created-for-pvc-namespace': 'web', 'kubernetes.io-created-for-pv-name': 'p' },
        '2',
      ),
      tagged('Microsoft', { 'k8s-azure-service': 'web/nginx,jobs/api', 'k8s-azure-cluster-name': 'kubernetes' }, '1'),
    ];
    expect((await containers(rows)).containers).toEqual(['- web -: 1', '- web -: 2', 'shop - -: 5']);
  });

  it('are those that EKS tags on nodes, volumes and load balancers', async () => {
    const rows = [
      tagged('AWS', { 'user:eks:cluster-name': 'prod', Name: 'node' }, '3'),
      tagged('AWS', { 'aws:eks:cluster-name': 'prod', 'kubernetes.io/created-for/pvc/namespace': 'web' }, '2'),
      tagged('AWS', { 'kubernetes.io/service-name': 'web/nginx', 'kubernetes.io/cluster/prod': 'owned' }, '1'),
    ];
    expect((await containers(rows)).containers).toEqual(['- web -: 1', 'prod - -: 3', 'prod web -: 2']);
  });

  it('are those of charges that FOCUS 1.3 splits', async () => {
    const columns = [...new Set([...focusColumns['1.3'], 'AllocatedTags', 'AllocatedResourceId'])];
    const split = aLine({
      Tags: '{"team":"platform","aws:eks:cluster-name":"prod"}',
      AllocatedMethodId: 'split',
      AllocatedResourceId: 'pod/shop-7f',
      AllocatedTags: '{"aws:eks:namespace":"web","aws:eks:workload-name":"shop"}',
      cost: '2',
    });
    expect((await containers([split, aLine()], columns)).containers).toEqual(['- - -: 1', 'prod web shop: 2']);
  });

  it('are none where tags only look alike', async () => {
    const rows = [tagged('AWS', { specs: 'a', ecs: 'b', 'k8s-label/app': 'c', cluster: 'd', namespace: 'e' }, '1')];
    expect((await containers(rows)).containers).toEqual(['- - -: 1']);
  });
});
