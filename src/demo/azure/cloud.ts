import type { Cloud, MonthlyCharge } from '../bill/cloud.ts';
import type { Commitment } from '../bill/commitment.ts';
import { guidOf } from '../random.ts';
import { tagsOf } from '../inventory/tags.ts';
import { computeMeters } from './compute.ts';
import { dataMeters } from './data.ts';
import { armResource, places, services, subscriptions } from './places.ts';

const commitments: readonly Commitment[] = [
  {
    key: 'vm-reservation',
    // Four machines are reserved, three are running.
    named: {
      id: `/providers/microsoft.capacity/reservationorders/${guidOf('order')}/reservations/${guidOf('reservation')}`,
      name: 'pos-2026',
      category: 'Usage',
      type: 'Reservation',
    },
    service: services.vm,
    region: places.retail.region,
    perDay: '13.9104',
    rate: 630,
    payment: 'monthly',
    endsInMonths: 8,
    description: 'Reserved VM Instance, Standard_D4s_v5, EU West, 1 Year',
  },
  {
    key: 'vm-savings-plan',
    named: {
      id: `/providers/microsoft.billingbenefits/savingsplanorders/${guidOf('plan-order')}/savingsplans/${guidOf('plan')}`,
      name: 'compute-savings-plan',
      category: 'Spend',
      type: 'SavingsPlan',
    },
    service: services.vm,
    region: null,
    perDay: '16.8',
    rate: 700,
    payment: 'daily',
    endsInMonths: 5,
    description: 'Compute Savings Plan, 1 Year',
  },
];

const monthly: readonly MonthlyCharge[] = [
  {
    name: 'support',
    on: 1,
    every: 1,
    chargeCategory: 'Purchase',
    amount: '920',
    subAccount: subscriptions.corporate,
    service: services.support,
    description: 'Azure Standard Support',
  },
  ...Object.values(subscriptions).map((subAccount): MonthlyCharge => ({
    name: `tax ${subAccount.id}`,
    on: 'last',
    every: 1,
    chargeCategory: 'Tax',
    amount: { ofBilled: 60 },
    subAccount,
    service: services.vm,
    description: 'Tax',
  })),
  {
    name: 'sendgrid',
    on: 4,
    every: 1,
    chargeCategory: 'Purchase',
    amount: '249',
    subAccount: subscriptions.retail,
    service: services.marketplace,
    resource: armResource(places.retail, 'mail', 'microsoft.saas/resources', 'order-mail'),
    tags: tagsOf('orders', 'prod'),
    publisher: 'Twilio SendGrid',
    description: 'SendGrid Email, monthly plan',
  },
  {
    name: 'credit',
    on: 3,
    every: 2,
    chargeCategory: 'Credit',
    amount: '-450',
    subAccount: subscriptions.development,
    service: services.vm,
    description: 'Azure sponsorship credit',
  },
  {
    name: 'correction',
    on: 5,
    every: 4,
    chargeCategory: 'Usage',
    amount: '-96.41',
    corrects: true,
    subAccount: subscriptions.retail,
    service: services.logs,
    description: 'Correction of ingestion billed twice',
  },
];

/** Microsoft Azure as the sample organization uses it. */
export const azure: Cloud = {
  provider: 'azure',
  providerName: 'Microsoft',
  invoiceIssuer: 'Microsoft',
  currency: 'EUR',
  billingAccount: {
    id: '/providers/microsoft.billing/billingaccounts/81204417',
    name: 'Brightwater Outfitters',
    type: 'Billing Account',
  },
  payer: subscriptions.corporate,
  meters: [...computeMeters, ...dataMeters],
  commitments,
  monthly,
  discount: 930,
};
