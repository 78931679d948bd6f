import type { Context } from '../../../../../src/analysis/recommendations/detectors/detector.ts';
import { parseAmount } from '../../../../../src/kit/money.ts';
import { aContext, aSubject, type Case } from '../../subject.ts';
import { arn } from './arn.ts';

/** Reports S3 spend in every region, because hostile region names have no prices. */
const withStorageTraffic: Context = {
  ...aContext(),
  prices: { priceOf: () => null, spendOn: (_, service) => (service.test('Amazon S3') ? parseAmount('5') : 0n) },
};

export const networkCases = {
  aws_eip_idle: {
    subject: aSubject({
      nativeId: arn('ec2', 'elastic-ip/eipalloc-1'),
      usage: [{ meter: 'PublicIPv4:IdleAddress', recentQuantity: '336', cost: '3.6' }],
    }),
  },
  aws_nat_idle: {
    subject: aSubject({
      nativeId: arn('ec2', 'natgateway/nat-1'),
      usage: [
        { meter: 'NatGateway-Hours', cost: '36' },
        { meter: 'NatGateway-Bytes', unit: 'GB', quantity: '50', recentQuantity: '0.999', cost: '2' },
      ],
    }),
  },
  aws_elb_idle: {
    subject: aSubject({
      nativeId: arn('elasticloadbalancing', 'loadbalancer/app/old/0123'),
      usage: [
        { meter: 'LoadBalancerUsage', cost: '18' },
        { meter: 'LCUUsage', unit: 'LCU-Hrs', recentQuantity: '0.099', cost: '0.6' },
      ],
    }),
  },
  aws_nat_to_endpoint: {
    subject: aSubject({
      nativeId: arn('ec2', 'natgateway/nat-1'),
      metadata: { gatewayEndpoints: [] },
      usage: [{ meter: 'NatGateway-Bytes', unit: 'GB', quantity: '1000', cost: '48' }],
    }),
    context: withStorageTraffic,
  },
  aws_vpce_idle: {
    subject: aSubject({
      nativeId: arn('ec2', 'vpc-endpoint/vpce-1'),
      usage: [
        { meter: 'VpcEndpoint-Hours', cost: '7.2' },
        { meter: 'VpcEndpoint-Bytes', unit: 'GB', recentQuantity: '0.099', cost: '0.01' },
      ],
    }),
  },
  aws_clb_migrate: {
    subject: aSubject({
      nativeId: arn('elasticloadbalancing', 'loadbalancer/web'),
      usage: [
        { meter: 'LoadBalancerUsage', cost: '18' },
        { meter: 'DataProcessing-Bytes', unit: 'GB', quantity: '500', recentQuantity: '230', cost: '4' },
      ],
    }),
  },
  aws_cross_az_transfer: {
    subject: aSubject({
      nativeId: arn('ec2', 'instance/i-1'),
      usage: [{ meter: 'DataTransfer-Regional-Bytes', unit: 'GB', quantity: '2000', cost: '20' }],
    }),
  },
  aws_cross_az_transfer_shared: {
    subject: aSubject({
      about: 'scope',
      nativeId: '',
      name: '',
      usage: [{ meter: 'DataTransfer-xAZ-Out-Bytes', unit: 'GB', quantity: '2000', cost: '20' }],
    }),
  },
} satisfies Record<string, Case>;
