import { tagKeyName } from '../../../../kit/tag-key.ts';

/** Where a container ran. */
export interface Container {
  readonly cluster: string | null;
  readonly namespace: string | null;
  /** Deployment, stateful set, job, or ECS service. */
  readonly workload: string | null;
}

/** Namespace and workload of capacity that no container used. Parentheses occur in no name of Kubernetes or ECS. */
export const unused = '(unused)';
/** Namespace and workload of what a cluster needs for itself. */
const system = '(system)';

/** Tag keys that name each part, preferred first, with letters and digits only, because exports spell them differently:
 *  `aws:eks:cluster-name`, `aws_eks_cluster_name`.
 *  - AWS: split cost allocation, Amazon ECS, and what EKS, Karpenter and the EBS driver tag
 *    (docs.aws.amazon.com/cur/latest/userguide/split-cost-allocation-data.html)
 *  - Google: GKE cost allocation (cloud.google.com/kubernetes-engine/docs/how-to/cost-allocations)
 *  - Azure: what AKS tags; its cost analysis by namespace is in no export (github.com/Azure/AKS/issues/4336) */
export const containerKeys: Readonly<Record<keyof Container, readonly string[]>> = {
  cluster: [
    'awseksclustername',
    'awsecsclustername',
    'eksclustername',
    'ekseksclustername',
    'googk8sclustername',
    'aksmanagedclustername',
    'karpenterazurecomcluster',
  ],
  namespace: [
    'awseksnamespace',
    'k8snamespace',
    'kubernetesiocreatedforpvcnamespace',
    'kubernetesioservicename',
    'k8sazureservice',
  ],
  workload: ['awseksworkloadname', 'awseksdeployment', 'awsecsservicename', 'k8sworkloadname'],
};
const parts = ['cluster', 'namespace', 'workload'] as const;

/** Keys whose value is `namespace/service`, of which several may share a load balancer. */
const paths: ReadonlySet<string> = new Set(['kubernetesioservicename', 'k8sazureservice']);

/** Google's value for cost without a namespace. */
const buckets: ReadonlyMap<string, string | null> = new Map([
  ['kube:unallocated', unused],
  ['kube:system-overhead', system],
  ['goog-k8s-unknown', null],
  ['goog-k8s-unsupported-sku', null],
]);

/** Returns the letters and digits of a tag key, in lower case. */
export function foldedKey(key: string): string {
  return tagKeyName(key)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');
}

/** Occurs in every key above: most tags need no further look. */
const hint = /eks|ecs|aks|k8s|kubernetes|karpenter/i;

/** Returns the container that tags name; null if none. */
export function containerOf(tags: Readonly<Record<string, unknown>>): Container | null {
  const named = Object.entries(tags).filter(([key]) => hint.test(key));
  if (named.length === 0) return null;
  const values = new Map(named.map(([key, value]) => [foldedKey(key), String(value ?? '')]));
  const [cluster, namespace, workload] = parts.map((part) => valueOf(values, containerKeys[part]));
  const isBucket = namespace === unused || namespace === system;
  if (!cluster && !namespace && !workload) return null;
  return {
    cluster: cluster ?? null,
    namespace: namespace ?? null,
    workload: (isBucket ? namespace : workload) ?? null,
  };
}

function valueOf(tags: ReadonlyMap<string, string>, names: readonly string[]): string | null {
  for (const name of names) {
    const text = tags.get(name) ?? '';
    const value = paths.has(name) ? (/^([^/,]+)\//.exec(text)?.[1] ?? '') : text;
    if (value !== '') return buckets.has(value) ? (buckets.get(value) ?? null) : value;
  }
  return null;
}
