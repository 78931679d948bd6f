import type { InventoryItem } from '../../contract.ts';
import type { Place } from './asking.ts';

/** A tag in the form of most services. */
interface AwsTag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

/** A service's data about one of its resources. */
interface Known {
  /** Empty or absent: use the tag `Name`. */
  readonly name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>>;
  /** Undefined values are omitted: unknown. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** In addition to those of the ARN. */
  readonly aliases?: readonly (string | undefined)[];
  /** Region, if it is not in the ARN. */
  readonly region?: string | undefined;
  /** Overrides that of the ARN. */
  readonly service?: string;
  readonly resourceType?: string;
}

/** Returns the ARN of a resource.
 *  @param path type and id: `instance/i-0abc`, `db:orders` */
export function arnAt({ partition, region, account }: Place, service: string, path: string): string {
  return `arn:${partition}:${service}:${region}:${account}:${path}`;
}

/** Returns the inventory item of an ARN; null if it is not an ARN. */
export function itemOf(arn: string, known: Known): InventoryItem | null {
  const parsed = parseArn(arn);
  return parsed && itemOfArn(parsed, known);
}

/** Returns an inventory item. */
export function itemOfArn(arn: Arn, known: Known): InventoryItem {
  const tags = known.tags ?? {};
  const others = (known.aliases ?? []).filter((alias) => alias !== undefined && alias !== '' && alias !== arn.text);
  return {
    provider: 'aws',
    nativeId: arn.text,
    aliases: [...new Set([...aliasesOf(arn), ...others])].filter((alias) => alias !== undefined),
    name: known.name || tags['Name'] || '',
    resourceType: known.resourceType ?? typeName(arn),
    service: known.service ?? serviceName(arn),
    region: known.region || arn.region || 'global',
    tags,
    metadata: known.metadata ? definedOf(known.metadata) : {},
  };
}

/** Converts tags to a record, without those that have no key. */
export function tagsOf(tags: readonly AwsTag[] | undefined): Record<string, string> {
  return Object.fromEntries((tags ?? []).flatMap(({ Key, Value }) => (Key ? [[Key, Value ?? '']] : [])));
}

/** Formats an instant for metadata; undefined if there is none. */
export function instant(date: Date | undefined): string | undefined {
  return date !== undefined && Number.isFinite(date.getTime()) ? date.toISOString() : undefined;
}

function definedOf(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}

/** Parts of an Amazon Resource Name. */
interface Arn {
  readonly text: string;
  readonly partition: string;
  /** `ec2`; not the name on bills. */
  readonly service: string;
  /** Empty if the service's ARNs have none: S3 and global services. */
  readonly region: string;
  /** Empty if there is none: S3. */
  readonly account: string;
  /** `instance`, `loadbalancer/app`; empty if the ARN has none: a bucket, a topic, a queue. */
  readonly type: string;
  /** The rest, after the type. */
  readonly id: string;
}

/** Parses an ARN; null for anything else. */
export function parseArn(text: string): Arn | null {
  const trimmed = text.trim();
  const [, partition = '', service = '', region = '', account = '', rest = ''] =
    /^arn:([^:]*):([^:]+):([^:]*):([^:]*):(.+)$/.exec(trimmed) ?? [];
  if (service === '') return null;
  // `type/id`, `type:id`, or only an id; a load balancer's kind is part of its type.
  const [, type = '', id = rest] = /^(loadbalancer\/(?:app|net|gwy)|[A-Za-z][\w-]*)[/:](.+)$/.exec(rest) ?? [];
  return { text: trimmed, partition, service, region, account, type, id };
}

/** Returns names that bills may use instead of the ARN: EC2 ids (`i-0abc`), and bucket names. */
export function aliasesOf({ service, type, id }: Arn): string[] {
  if (service === 's3' && type === '') return [id];
  return service === 'ec2' && /^[a-z]+-[0-9a-f]{8,}$/.test(id) ? [id] : [];
}

/** FOCUS ServiceName by the service of an ARN, for resources that no bill names. */
const services: Readonly<Record<string, string>> = {
  acm: 'AWS Certificate Manager',
  apigateway: 'Amazon API Gateway',
  appsync: 'AWS AppSync',
  athena: 'Amazon Athena',
  autoscaling: 'Amazon Elastic Compute Cloud',
  backup: 'AWS Backup',
  batch: 'AWS Batch',
  bedrock: 'Amazon Bedrock',
  cloudformation: 'AWS CloudFormation',
  cloudfront: 'Amazon CloudFront',
  cloudtrail: 'AWS CloudTrail',
  cloudwatch: 'AmazonCloudWatch',
  codebuild: 'CodeBuild',
  'cognito-idp': 'Amazon Cognito',
  config: 'AWS Config',
  dms: 'AWS Database Migration Service',
  dynamodb: 'Amazon DynamoDB',
  ec2: 'Amazon Elastic Compute Cloud',
  ecr: 'Amazon Elastic Container Registry',
  ecs: 'Amazon Elastic Container Service',
  eks: 'Amazon Elastic Kubernetes Service',
  elasticache: 'Amazon ElastiCache',
  elasticfilesystem: 'Amazon Elastic File System',
  elasticloadbalancing: 'Elastic Load Balancing',
  elasticmapreduce: 'Amazon Elastic MapReduce',
  es: 'Amazon OpenSearch Service',
  events: 'AWS Events',
  firehose: 'Amazon Kinesis Firehose',
  fsx: 'Amazon FSx',
  glue: 'AWS Glue',
  iam: 'AWS Identity and Access Management',
  kafka: 'Amazon Managed Streaming for Apache Kafka',
  kinesis: 'Amazon Kinesis',
  kms: 'AWS Key Management Service',
  lambda: 'AWS Lambda',
  lightsail: 'Amazon Lightsail',
  logs: 'AmazonCloudWatch',
  mq: 'Amazon MQ',
  rds: 'Amazon Relational Database Service',
  redshift: 'Amazon Redshift',
  route53: 'Amazon Route 53',
  s3: 'Amazon Simple Storage Service',
  sagemaker: 'Amazon SageMaker',
  secretsmanager: 'AWS Secrets Manager',
  sns: 'Amazon Simple Notification Service',
  sqs: 'Amazon Simple Queue Service',
  ssm: 'AWS Systems Manager',
  states: 'AWS Step Functions',
  transfer: 'AWS Transfer Family',
  wafv2: 'AWS WAF',
};

/** EC2 resource types that are billed as VPC. */
const networking =
  /^(elastic-ip|vpc|vpc-|subnet|security-group|route-table|internet-gateway|network-|dhcp-options|transit-gateway|vpn-|customer-gateway|ipam|prefix-list)/;

/** Returns the FOCUS ServiceName of a resource; the service's code if unknown. */
export function serviceName({ service, type }: Pick<Arn, 'service' | 'type'>): string {
  if (service === 'ec2' && networking.test(type)) return 'Amazon Virtual Private Cloud';
  return services[service] ?? service;
}

/** Types whose display name differs from the ARN. */
const types: Readonly<Record<string, string>> = {
  'dynamodb:table': 'Table',
  'ec2:natgateway': 'NAT Gateway',
  'ec2:image': 'Machine Image',
  'elasticache:cluster': 'Cache Cluster',
  'elasticloadbalancing:loadbalancer': 'Load Balancer',
  'elasticloadbalancing:targetgroup': 'Target Group',
  'rds:cluster': 'DB Cluster',
  'rds:cluster-snapshot': 'DB Cluster Snapshot',
  'rds:db': 'DB Instance',
  'rds:ri': 'Reserved',
  'rds:snapshot': 'DB Snapshot',
  'savingsplans:savingsplan': 'Savings Plan',
};

/** Types of ARNs without a type. */
const untyped: Readonly<Record<string, string>> = { s3: 'Bucket', sns: 'Topic', sqs: 'Queue' };

const acronyms: ReadonlySet<string> = new Set(
  'acl api aws cdn db dhcp dns eni fsx iam id ip kms mfa nat oidc saml sql ssh ssl tls url vpc vpn waf'.split(' '),
);

/** Returns the display name of a resource type, as in bills: `Instance`, `NAT Gateway`, `Log Group`. */
export function typeName({ service, type }: Pick<Arn, 'service' | 'type'>): string {
  if (type === '') return untyped[service] ?? 'Resource';
  const [own = type] = type.split('/');
  const known = types[`${service}:${own}`];
  if (known !== undefined) return known;
  return own
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) =>
      acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ');
}
