import { z } from 'zod';

// What an inventory listing may say of a resource beyond its bill. Every field may be absent: then nobody knows, and nothing
// is concluded from it. Null is something else: the provider says that there is none.

const text = z.string().max(2048);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}/);
const count = z.number().min(0);

/** A field that cannot be read is as good as absent: one odd value must not hide the others. */
const optional = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

const schema = z.object({
  /** In the provider's words, lower case: `available`, `in-use`, `running`, `stopped`, `deallocated`, `terminated`. */
  state: optional(z.string().toLowerCase()),
  /** First day of that state, or an instant of it. */
  stateSince: optional(day),
  /** Native id of what it is attached to: a disk's machine, an address's interface. Null: to nothing. */
  attachedTo: optional(text.nullable()),
  /** State of what it is attached to, and since when. */
  attachedToState: optional(z.string().toLowerCase()),
  attachedToStateSince: optional(day),
  /** What uses it: backends of a load balancer, subnets of a NAT gateway, connections of a VPN gateway, sites of a plan,
   *  databases of a pool, networks of a protection plan; of a snapshot, the machines, launch templates and scaling groups that
   *  use its images. */
  usedByCount: optional(count),
  /** Provisioned size in GiB. */
  sizeGib: optional(count),
  /** Provisioned operations per second. */
  iops: optional(count),
  /** Provisioned MiB per second. */
  throughputMibps: optional(count),
  /** The provider's size: `m5.large`, `Standard_D4s_v5`, `n1-standard-4`. */
  instanceType: optional(text),
  /** `x86_64` or `arm64`. */
  architecture: optional(z.string().toLowerCase()),
  /** `linux` or `windows`. */
  platform: optional(z.string().toLowerCase()),
  /** Database engine, lower case: `mysql`, `postgres`, `aurora-postgresql`, `sqlserver-se`. */
  engine: optional(z.string().toLowerCase()),
  engineVersion: optional(text),
  /** `Windows_Server`, `AHUB`, `PAYG`; null: none set. */
  licenseType: optional(text.nullable()),
  /** Whether it runs in two zones: RDS Multi-AZ, Cloud SQL `REGIONAL`. */
  multiAz: optional(z.boolean()),
  /** Storage class, performance tier or SKU: `Premium_LRS`, `Standard`, `GPv1`. */
  sku: optional(text),
  /** Days that logs, snapshots or backups are kept. Null: for ever. */
  retentionDays: optional(count.nullable()),
  /** Whether rules move or delete what is old: S3, EFS, ECR, storage accounts. */
  hasLifecyclePolicy: optional(z.boolean()),
  /** Whether what a snapshot was taken of still exists. */
  sourceExists: optional(z.boolean()),
  /** Native ids of machine images made of it; empty: none. */
  imageIds: optional(z.array(text)),
  /** Services reached without the gateway: `s3`, `dynamodb`, as a network's gateway endpoints. */
  gatewayEndpoints: optional(z.array(z.string().toLowerCase())),
  /** Name of the scaling group that owns it. */
  scalingGroup: optional(text.nullable()),
  /** Provider's state of the circuit: `NotProvisioned`. */
  provisioningState: optional(text),
  createdAt: optional(day),
  /** Last day of a commitment. */
  endsAt: optional(day),
});

/** What a listing says of a resource. Days may carry a time. */
export type ResourceMetadata = z.infer<typeof schema>;

/** Reads stored metadata; what is not known here is left out. */
export function parseMetadata(json: unknown): ResourceMetadata {
  const parsed = schema.safeParse(json ?? {});
  return parsed.success ? parsed.data : {};
}
