import type { Cloud, MonthlyCharge } from '../bill/cloud.ts';
import type { Commitment } from '../bill/commitment.ts';
import { service, type Region, type SubAccount } from '../bill/line-item.ts';
import { readMeters } from '../bill/meter.ts';
import { tagsOf } from '../inventory/tags.ts';
import { guidOf } from '../random.ts';

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

const commitments: readonly Commitment[] = [
  {
    key: 'compute-sp',
    named: {
      id: `arn:aws:savingsplans::${accounts.payer.id}:savingsplan/${guidOf('compute-sp')}`,
      name: 'Compute Savings Plan',
      category: 'Spend',
      type: 'Compute Savings Plans',
    },
    service: services.savingsPlans,
    region: null,
    perDay: '52',
    rate: 720,
    payment: 'daily',
    endsInMonths: 1,
    description: '1 year No Upfront Compute Savings Plan',
  },
  {
    key: 'rds-ri',
    // Three instances were reserved and two remain, so a third goes unused.
    named: {
      id: `arn:aws:rds:eu-west-1:${accounts.payer.id}:ri:orders-2026`,
      name: 'orders-2026',
      category: 'Usage',
      type: 'Reserved',
    },
    service: services.rds,
    region: ireland,
    perDay: '44.4226',
    rate: 640,
    payment: 'monthly',
    endsInMonths: 7,
    description: '1 year No Upfront reservation of 3 db.r6g.2xlarge PostgreSQL',
  },
  {
    key: 'cache-ri',
    named: {
      id: `arn:aws:elasticache:eu-west-1:${accounts.payer.id}:reserved-instance:sessions`,
      name: 'sessions',
      category: 'Usage',
      type: 'Reserved',
    },
    service: services.cache,
    region: ireland,
    perDay: '6.75552',
    rate: 620,
    payment: 'upfront',
    paidOn: '02-03',
    description: '1 year All Upfront reservation of 2 cache.r6g.large Redis',
  },
];

const members = Object.values(accounts).filter((account) => account !== accounts.payer);

const taxes = members.map((subAccount): MonthlyCharge => ({
  name: `tax ${subAccount.id}`,
  on: 'last',
  every: 1,
  chargeCategory: 'Tax',
  amount: { ofBilled: 85 },
  subAccount,
  service: services.ec2,
  description: 'Sales tax',
}));

const monthly: readonly MonthlyCharge[] = [
  ...taxes,
  {
    name: 'support',
    on: 1,
    every: 1,
    chargeCategory: 'Purchase',
    amount: '2150',
    subAccount: accounts.payer,
    service: services.support,
    description: 'AWS Support (Business)',
  },
  {
    name: 'datadog',
    on: 3,
    every: 1,
    chargeCategory: 'Purchase',
    amount: '1864.5',
    subAccount: accounts.shop,
    service: services.marketplace,
    resource: {
      id: `arn:aws:aws-marketplace::${accounts.shop.id}:subscription/datadog-pro`,
      name: 'datadog-pro',
      type: 'Marketplace Subscription',
    },
    tags: tagsOf('platform', 'prod'),
    publisher: 'Datadog, Inc.',
    description: 'Datadog Pro, monthly subscription through AWS Marketplace',
  },
  {
    name: 'credit',
    on: 2,
    every: 1,
    chargeCategory: 'Credit',
    amount: '-900',
    subAccount: accounts.data,
    service: services.ec2,
    description: 'Migration Acceleration Program credit',
  },
  {
    name: 'refund',
    on: 9,
    every: 4,
    chargeCategory: 'Credit',
    amount: '-312.48',
    subAccount: accounts.shop,
    service: services.lambda,
    description: 'Goodwill refund after a service event',
  },
  {
    name: 'correction',
    on: 6,
    every: 3,
    chargeCategory: 'Usage',
    amount: '-148.2375',
    corrects: true,
    subAccount: accounts.shop,
    service: services.s3,
    description: 'Correction of storage metered twice',
  },
];

/** Amazon Web Services as the sample organization uses it. */
export const aws: Cloud = {
  provider: 'aws',
  providerName: 'AWS',
  invoiceIssuer: 'Amazon Web Services, Inc.',
  currency: 'USD',
  billingAccount: { id: accounts.payer.id, name: accounts.payer.name, type: 'Management Account' },
  payer: accounts.payer,
  meters: readMeters(new URL('meters.tsv', import.meta.url), places, services),
  commitments,
  monthly,
  discount: 960,
};
