import type { Cloud, MonthlyCharge } from '../bill/cloud.ts';
import type { Commitment } from '../bill/commitment.ts';
import { guidOf } from '../random.ts';
import { tagsOf } from '../inventory/tags.ts';
import { computeMeters } from './compute.ts';
import { dataMeters } from './data.ts';
import { networkMeters } from './network.ts';
import { accounts, places, services } from './places.ts';
import { storageMeters } from './storage.ts';

const ireland = places.shop.region;

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
  meters: [...computeMeters, ...storageMeters, ...networkMeters, ...dataMeters],
  commitments,
  monthly,
  discount: 960,
};
