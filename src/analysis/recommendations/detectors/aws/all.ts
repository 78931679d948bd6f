import type { Detector } from '../../detector.ts';
import { ebsGp2Gp3 } from './ebs-gp2-gp3.ts';
import { ebsSnapshotOld } from './ebs-snapshot-old.ts';
import { ebsUnattached } from './ebs-unattached.ts';
import { ec2PreviousGen } from './ec2-previous-gen.ts';
import { ec2UnlimitedCredits } from './ec2-unlimited-credits.ts';
import { eipIdle } from './eip-idle.ts';
import { eksExtendedSupport } from './eks-extended-support.ts';
import { elbIdle } from './elb-idle.ts';
import { engineExtendedSupport } from './engine-extended-support.ts';
import { natIdle } from './nat-idle.ts';
import { nonprodSchedule } from './nonprod-schedule.ts';
import { rdsExtendedSupport } from './rds-extended-support.ts';
import { rdsMultiAzNonprod } from './rds-multi-az-nonprod.ts';
import { rdsPreviousGen } from './rds-previous-gen.ts';
import { s3ColdStandard } from './s3-cold-standard.ts';

export const awsDetectors: readonly Detector[] = [
  ebsGp2Gp3,
  ebsSnapshotOld,
  ebsUnattached,
  ec2PreviousGen,
  ec2UnlimitedCredits,
  eipIdle,
  eksExtendedSupport,
  elbIdle,
  engineExtendedSupport,
  natIdle,
  nonprodSchedule,
  rdsExtendedSupport,
  rdsMultiAzNonprod,
  rdsPreviousGen,
  s3ColdStandard,
];
