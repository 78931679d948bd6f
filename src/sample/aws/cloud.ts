import type { Cloud } from '../bill/cloud.ts';
import { readCommitments } from '../bill/commitment.ts';
import { service, type Region, type SubAccount } from '../bill/line-item.ts';
import { readMeters } from '../bill/meter.ts';
import { readCharges } from '../bill/monthly.ts';

const member = (id: string, name: string): SubAccount => ({ id, name, type: 'Member Account' });

const accounts = {
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
const places = {
  shop: { subAccount: accounts.shop, region: ireland },
  shopUs: { subAccount: accounts.shop, region: virginia },
  staging: { subAccount: accounts.staging, region: ireland },
  data: { subAccount: accounts.data, region: ireland },
  sandbox: { subAccount: accounts.sandbox, region: virginia },
  office: { subAccount: accounts.office, region: frankfurt },
};

/** The services of the sample, with the names that AWS uses in FOCUS. */
const services = {
  ec2: service('Amazon Elastic Compute Cloud', 'Compute', 'Virtual Machines', 'AmazonEC2'),
  ebs: service('Amazon Elastic Block Store', 'Storage', 'Block Storage', 'AmazonEC2'),
  vpc: service('Amazon Virtual Private Cloud', 'Networking', 'Other (Networking)', 'AmazonVPC'),
  elb: service('Elastic Load Balancing', 'Networking', 'Application Networking', 'AWSELB'),
  rds: service('Amazon Relational Database Service', 'Databases', 'Relational Databases', 'AmazonRDS'),
  cache: service('Amazon ElastiCache', 'Databases', 'Caching', 'AmazonElastiCache'),
  dynamo: service('Amazon DynamoDB', 'Databases', 'NoSQL Databases', 'AmazonDynamoDB'),
  s3: service('Amazon Simple Storage Service', 'Storage', 'Object Storage', 'AmazonS3'),
  lambda: service('AWS Lambda', 'Compute', 'Serverless Compute', 'AWSLambda'),
  eks: service('Amazon Elastic Kubernetes Service', 'Compute', 'Containers', 'AmazonEKS'),
  ecr: service('Amazon Elastic Container Registry', 'Compute', 'Containers', 'AmazonECR'),
  cloudwatch: service('AmazonCloudWatch', 'Management and Governance', 'Observability', 'AmazonCloudWatch'),
  cloudfront: service('Amazon CloudFront', 'Networking', 'Content Delivery', 'AmazonCloudFront'),
  sqs: service('Amazon Simple Queue Service', 'Integration', 'Messaging', 'AWSQueueService'),
  kinesis: service('Amazon Kinesis', 'Analytics', 'Streaming Analytics', 'AmazonKinesis'),
  bedrock: service('Amazon Bedrock', 'AI and Machine Learning', 'Generative AI', 'AmazonBedrock'),
  savingsPlans: service('Savings Plans for AWS Compute usage', 'Compute', 'Virtual Machines', 'ComputeSavingsPlans'),
  support: service('AWS Support (Business)', 'Other', 'Other (Other)', 'AWSSupportBusiness'),
  marketplace: service('Datadog Pro', 'Management and Governance', 'Observability', 'datadog-pro'),
};

/** Amazon Web Services as the sample organization uses it. */
export const aws: Cloud = {
  provider: 'aws',
  providerName: 'AWS',
  invoiceIssuer: 'Amazon Web Services, Inc.',
  currency: 'USD',
  billingAccount: { id: accounts.payer.id, name: accounts.payer.name, type: 'Management Account' },
  payer: accounts.payer,
  meters: readMeters(new URL('meters.tsv', import.meta.url), places, services),
  commitments: readCommitments(new URL('commitments.tsv', import.meta.url), places, services),
  monthly: readCharges(new URL('charges.tsv', import.meta.url), accounts, services),
  discount: 960,
};
