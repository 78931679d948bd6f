import type { Cloud } from '../bill/cloud.ts';
import { computeMeters } from './compute.ts';
import { dataMeters } from './data.ts';
import { places, projects, services } from './places.ts';

/** Google Cloud as the sample organization uses it. */
export const gcp: Cloud = {
  provider: 'gcp',
  providerName: 'Google Cloud',
  invoiceIssuer: 'Google Cloud EMEA Limited',
  currency: 'USD',
  billingAccount: { id: '01A4C7-5E21B0-9D8F36', name: 'Brightwater Outfitters', type: 'Billing Account' },
  payer: projects.analytics,
  meters: [...computeMeters, ...dataMeters],
  commitments: [
    {
      key: 'flex-cud',
      named: {
        id: 'projects/bw-analytics-prod/subscriptions/flex-2026',
        name: 'flex-2026',
        category: 'Spend',
        type: 'Compute flexible CUD',
      },
      service: services.compute,
      region: places.analytics.region,
      perDay: '28.5',
      rate: 720,
      payment: 'daily',
      endsInMonths: 4,
      description: 'Commitment - dollar based v1: Compute flexible 1 Year',
    },
  ],
  monthly: [
    {
      name: 'support',
      on: 1,
      every: 1,
      chargeCategory: 'Purchase',
      amount: '500',
      subAccount: projects.analytics,
      service: services.support,
      description: 'Enhanced Support',
    },
    {
      name: 'tax',
      on: 'last',
      every: 1,
      chargeCategory: 'Tax',
      amount: { ofBilled: 40 },
      subAccount: projects.analytics,
      service: services.compute,
      description: 'Tax',
    },
    {
      name: 'credit',
      on: 5,
      every: 1,
      chargeCategory: 'Credit',
      amount: '-350',
      subAccount: projects.ml,
      service: services.vertex,
      description: 'Google Cloud for Startups credit',
    },
    {
      name: 'rounding',
      on: 'last',
      every: 1,
      chargeCategory: 'Adjustment',
      amount: '-0.013742',
      subAccount: projects.analytics,
      service: services.compute,
      description: 'Rounding error',
    },
    {
      name: 'correction',
      on: 7,
      every: 5,
      chargeCategory: 'Usage',
      amount: '-64.9',
      corrects: true,
      subAccount: projects.analytics,
      service: services.bigQuery,
      description: 'Correction of a query billed after it was cancelled',
    },
  ],
  discount: 1000,
};
