import type { Region, Service, SubAccount } from '../bill/line-item.ts';

const member = (id: string, name: string): SubAccount => ({ id, name, type: 'Member Account' });

/** The AWS accounts of the sample organization. */
export const accounts = {
  payer: { id: '408112233445', name: 'brightwater-management', type: 'Management Account' },
  shop: member('511200000011', 'shop-production'),
  staging: member('511200000022', 'shop-staging'),
  data: member('511200000033', 'data-platform'),
  sandbox: member('511200000044', 'engineering-sandbox'),
  office: member('511200000055', 'back-office'),
} as const satisfies Record<string, SubAccount>;

const ireland: Region = { id: 'eu-west-1', name: 'Europe (Ireland)' };
const frankfurt: Region = { id: 'eu-central-1', name: 'Europe (Frankfurt)' };
const virginia: Region = { id: 'us-east-1', name: 'US East (N. Virginia)' };

/** Account and region pairs that meters refer to. */
export const places = {
  shop: { subAccount: accounts.shop, region: ireland },
  shopUs: { subAccount: accounts.shop, region: virginia },
  staging: { subAccount: accounts.staging, region: ireland },
  data: { subAccount: accounts.data, region: ireland },
  sandbox: { subAccount: accounts.sandbox, region: virginia },
  office: { subAccount: accounts.office, region: frankfurt },
} as const;

/** An account and region of the AWS sample. */
export type Place = (typeof places)[keyof typeof places];

/** The region prefix of AWS usage types. */
export function usagePrefix({ region }: Place): string {
  switch (region.id) {
    case 'eu-west-1':
      return 'EU-';
    case 'eu-central-1':
      return 'EUC1-';
    default:
      return 'USE1-';
  }
}

/** The AWS services of the sample, with the names that AWS uses in FOCUS. */
export const services = {
  ec2: {
    name: 'Amazon Elastic Compute Cloud',
    category: 'Compute',
    subcategory: 'Virtual Machines',
    code: 'AmazonEC2',
  },
  ebs: { name: 'Amazon Elastic Block Store', category: 'Storage', subcategory: 'Block Storage', code: 'AmazonEC2' },
  vpc: {
    name: 'Amazon Virtual Private Cloud',
    category: 'Networking',
    subcategory: 'Other (Networking)',
    code: 'AmazonVPC',
  },
  elb: {
    name: 'Elastic Load Balancing',
    category: 'Networking',
    subcategory: 'Application Networking',
    code: 'AWSELB',
  },
  rds: {
    name: 'Amazon Relational Database Service',
    category: 'Databases',
    subcategory: 'Relational Databases',
    code: 'AmazonRDS',
  },
  cache: { name: 'Amazon ElastiCache', category: 'Databases', subcategory: 'Caching', code: 'AmazonElastiCache' },
  dynamo: { name: 'Amazon DynamoDB', category: 'Databases', subcategory: 'NoSQL Databases', code: 'AmazonDynamoDB' },
  s3: { name: 'Amazon Simple Storage Service', category: 'Storage', subcategory: 'Object Storage', code: 'AmazonS3' },
  lambda: { name: 'AWS Lambda', category: 'Compute', subcategory: 'Serverless Compute', code: 'AWSLambda' },
  eks: { name: 'Amazon Elastic Kubernetes Service', category: 'Compute', subcategory: 'Containers', code: 'AmazonEKS' },
  ecr: { name: 'Amazon Elastic Container Registry', category: 'Compute', subcategory: 'Containers', code: 'AmazonECR' },
  cloudwatch: {
    name: 'AmazonCloudWatch',
    category: 'Management and Governance',
    subcategory: 'Observability',
    code: 'AmazonCloudWatch',
  },
  cloudfront: {
    name: 'Amazon CloudFront',
    category: 'Networking',
    subcategory: 'Content Delivery',
    code: 'AmazonCloudFront',
  },
  sqs: {
    name: 'Amazon Simple Queue Service',
    category: 'Integration',
    subcategory: 'Messaging',
    code: 'AWSQueueService',
  },
  kinesis: { name: 'Amazon Kinesis', category: 'Analytics', subcategory: 'Streaming Analytics', code: 'AmazonKinesis' },
  bedrock: {
    name: 'Amazon Bedrock',
    category: 'AI and Machine Learning',
    subcategory: 'Generative AI',
    code: 'AmazonBedrock',
  },
  savingsPlans: {
    name: 'Savings Plans for AWS Compute usage',
    category: 'Compute',
    subcategory: 'Virtual Machines',
    code: 'ComputeSavingsPlans',
  },
  support: {
    name: 'AWS Support (Business)',
    category: 'Other',
    subcategory: 'Other (Other)',
    code: 'AWSSupportBusiness',
  },
  marketplace: {
    name: 'Datadog Pro',
    category: 'Management and Governance',
    subcategory: 'Observability',
    code: 'datadog-pro',
  },
} as const satisfies Record<string, Service>;
