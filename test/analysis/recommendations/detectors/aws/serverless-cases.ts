import { aSubject, type Case } from '../../subject.ts';
import { arn } from './arn.ts';

const lambda = { nativeId: arn('lambda', 'function:resize'), name: 'resize', service: 'AWS Lambda' };
const task = { nativeId: arn('ecs', 'task/shop/0a1'), name: 'shop', service: 'Amazon Elastic Container Service' };
const fargate = [
  { meter: 'Fargate-vCPU-Hours:perCPU', cost: '20' },
  { meter: 'Fargate-GB-Hours', cost: '10' },
];
const dynamodb = 'Amazon DynamoDB';

export const serverlessCases = {
  aws_lambda_arm: {
    subject: aSubject({
      ...lambda,
      usage: [{ meter: 'Lambda-GB-Second', unit: 'Lambda-GB-Second', quantity: '1000000', cost: '30' }],
    }),
  },
  aws_lambda_provisioned_unused: {
    subject: aSubject({
      ...lambda,
      usage: [
        { meter: 'Lambda-Provisioned-Concurrency', quantity: '1000', cost: '30' },
        { meter: 'Lambda-Provisioned-GB-Second', quantity: '250', cost: '10' },
      ],
    }),
  },
  aws_fargate_arm: { subject: aSubject({ ...task, usage: fargate }) },
  aws_fargate_spot: { subject: aSubject({ ...task, tags: { env: 'dev' }, usage: fargate }) },
  aws_sagemaker_notebook_always_on: {
    subject: aSubject({
      nativeId: arn('sagemaker', 'notebook-instance/research'),
      usage: [{ meter: 'Notebk:ml.t3.medium', quantity: '684', cost: '30' }],
    }),
  },
  aws_kinesis_overprovisioned: {
    subject: aSubject({
      nativeId: arn('kinesis', 'stream/clicks'),
      usage: [
        { meter: 'Storage-ShardHour', quantity: '7200', cost: '122.4' },
        { meter: 'PutRequestPayloadUnits', quantity: '103680000', cost: '1.5' },
      ],
    }),
  },
  aws_dynamodb_ia_class: {
    subject: aSubject({
      nativeId: arn('dynamodb', 'table/carts'),
      service: dynamodb,
      usage: [
        { meter: 'TimedStorage-ByteHrs', service: dynamodb, cost: '30' },
        { meter: 'ReadRequestUnits', service: dynamodb, cost: '8' },
        { meter: 'WriteCapacityUnit-Hrs', service: dynamodb, cost: '4' },
      ],
    }),
  },
  aws_logs_retention: {
    subject: aSubject({
      nativeId: arn('logs', 'log-group:/shop/edge:*'),
      metadata: { retentionDays: null, createdAt: '2026-08-11' },
      usage: [{ meter: 'TimedStorage-ByteHrs', service: 'AmazonCloudWatch', cost: '30' }],
    }),
  },
  aws_cloudtrail_duplicate: {
    subject: aSubject({
      about: 'scope',
      nativeId: '',
      name: '',
      service: 'AWS CloudTrail',
      usage: [{ meter: 'PaidEventsRecorded', unit: 'Events', cost: '10' }],
    }),
  },
} satisfies Record<string, Case>;
