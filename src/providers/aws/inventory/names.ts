import type { Arn } from './arn.ts';

/** FOCUS ServiceName by the service of an ARN, for what no bill names. */
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

/** What EC2 names and VPC bills. */
const networking =
  /^(elastic-ip|vpc|vpc-|subnet|security-group|route-table|internet-gateway|network-|dhcp-options|transit-gateway|vpn-|customer-gateway|ipam|prefix-list)/;

/** FOCUS ServiceName of a resource; the service's code where we know no name. */
export function serviceName({ service, type }: Pick<Arn, 'service' | 'type'>): string {
  if (service === 'ec2' && networking.test(type)) return 'Amazon Virtual Private Cloud';
  return services[service] ?? service;
}

/** Types whose words are not those of the ARN. */
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

/** Of ARNs without a type. */
const untyped: Readonly<Record<string, string>> = { s3: 'Bucket', sns: 'Topic', sqs: 'Queue' };

const acronyms: ReadonlySet<string> = new Set(
  'acl api aws cdn db dhcp dns eni fsx iam id ip kms mfa nat oidc saml sql ssh ssl tls url vpc vpn waf'.split(' '),
);

/** The type of a resource in words, as bills and people say it: `Instance`, `NAT Gateway`, `Log Group`. */
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
