import { aSubject, type Case } from '../../subject.ts';
import { arn } from './arn.ts';

export const networkCases = {
  aws_eip_idle: {
    subject: aSubject({
      nativeId: arn('ec2', 'elastic-ip/eipalloc-1'),
      usage: [{ meter: 'PublicIPv4:IdleAddress', cost: '3.6' }],
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
        { meter: 'LCUUsage', unit: 'LCU-Hrs', recentQuantity: '0.999', cost: '0.6' },
      ],
    }),
  },
} satisfies Record<string, Case>;
