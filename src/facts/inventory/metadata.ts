import { z } from 'zod';

// Metadata that an inventory listing can have beyond the bill. All fields are optional: absent means unknown, and nothing is
// concluded from it. Null is a statement of the provider that there is none.

const text = z.string().max(2048);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}/);
const count = z.number().min(0);

/** Treats an invalid field as absent, so that one odd value does not hide the others. */
const optional = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

const schema = z.object({
  /** The provider's lower-case term: `available`, `in-use`, `running`, `stopped`, `deallocated`, `terminated`. */
  state: optional(z.string().toLowerCase()),
  /** First day of that state; can be an instant. */
  stateSince: optional(day),
  /** Native id of what it is attached to: a disk's machine, an address's interface. Null: not attached. */
  attachedTo: optional(text.nullable()),
  /** State of what it is attached to, and its start. */
  attachedToState: optional(z.string().toLowerCase()),
  attachedToStateSince: optional(day),
  /** Number of users: backends of a load balancer, subnets of a NAT gateway, connections of a VPN gateway, sites of a plan,
   *  databases of a pool, networks of a protection plan; for a snapshot, the machines, launch templates and scaling groups
   *  that use its images. */
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
  /** `Windows_Server`, `AHUB`, `PAYG`; null: not set. */
  licenseType: optional(text.nullable()),
  /** Whether it runs in two zones: RDS Multi-AZ, Cloud SQL `REGIONAL`. */
  multiAz: optional(z.boolean()),
  /** Storage class, performance tier or SKU: `Premium_LRS`, `Standard`, `GPv1`. */
  sku: optional(text),
  /** Retention of logs, snapshots or backups, in days. Null: forever. */
  retentionDays: optional(count.nullable()),
  /** Whether rules move or delete old data: S3, EFS, ECR, storage accounts. */
  hasLifecyclePolicy: optional(z.boolean()),
  /** Whether the source of a snapshot still exists. */
  sourceExists: optional(z.boolean()),
  /** Native ids of machine images created from it; empty: none. */
  imageIds: optional(z.array(text)),
  /** Services reached without the gateway (`s3`, `dynamodb`) through the network's gateway endpoints. */
  gatewayEndpoints: optional(z.array(z.string().toLowerCase())),
  /** Name of the scaling group it belongs to. */
  scalingGroup: optional(text.nullable()),
  /** Provider's state of the circuit: `NotProvisioned`. */
  provisioningState: optional(text),
  createdAt: optional(day),
  /** Last day of a commitment. */
  endsAt: optional(day),
});

/** Metadata of a listed resource. Days can carry a time. */
export type ResourceMetadata = z.infer<typeof schema>;

/** Parses stored metadata; unknown fields are dropped. */
export function parseMetadata(json: unknown): ResourceMetadata {
  const parsed = schema.safeParse(json ?? {});
  return parsed.success ? parsed.data : {};
}
