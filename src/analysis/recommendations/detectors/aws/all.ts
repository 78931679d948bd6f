import type { Detector } from '../../detector.ts';
import { amiOrphan } from './ami-orphan.ts';
import { clbMigrate } from './clb-migrate.ts';
import { cloudtrailDuplicate } from './cloudtrail-duplicate.ts';
import { crossAzTransfer, crossAzTransferShared } from './cross-az-transfer.ts';
import { dynamodbIa } from './dynamodb-ia.ts';
import { ebsGp2Gp3 } from './ebs-gp2-gp3.ts';
import { ebsIo1Gp3 } from './ebs-io1-gp3.ts';
import { ebsMagnetic } from './ebs-magnetic.ts';
import { ebsSnapshotArchive } from './ebs-snapshot-archive.ts';
import { ebsSnapshotOld } from './ebs-snapshot-old.ts';
import { ebsUnattached } from './ebs-unattached.ts';
import { ec2Amd } from './ec2-amd.ts';
import { ec2Graviton } from './ec2-graviton.ts';
import { ec2PreviousGen } from './ec2-previous-gen.ts';
import { ec2Spot } from './ec2-spot.ts';
import { ec2StoppedStorage } from './ec2-stopped-storage.ts';
import { ec2UnlimitedCredits } from './ec2-unlimited-credits.ts';
import { ecrNoLifecycle } from './ecr-no-lifecycle.ts';
import { efsLifecycle } from './efs-lifecycle.ts';
import { eipIdle } from './eip-idle.ts';
import { eksExtendedSupport } from './eks-extended-support.ts';
import { elbIdle } from './elb-idle.ts';
import { engineExtendedSupport } from './engine-extended-support.ts';
import { fargateArm } from './fargate-arm.ts';
import { fargateSpot } from './fargate-spot.ts';
import { kinesisOverprovisioned } from './kinesis-overprovisioned.ts';
import { lambdaArm } from './lambda-arm.ts';
import { lambdaProvisionedUnused } from './lambda-provisioned-unused.ts';
import { logsRetention } from './logs-retention.ts';
import { natIdle } from './nat-idle.ts';
import { natToEndpoint } from './nat-to-endpoint.ts';
import { nonprodSchedule } from './nonprod-schedule.ts';
import { rdsBackupExcess } from './rds-backup-excess.ts';
import { rdsExtendedSupport } from './rds-extended-support.ts';
import { rdsGraviton } from './rds-graviton.ts';
import { rdsMultiAzNonprod } from './rds-multi-az-nonprod.ts';
import { rdsPiopsGp3 } from './rds-piops-gp3.ts';
import { rdsPreviousGen } from './rds-previous-gen.ts';
import { s3ColdStandard } from './s3-cold-standard.ts';
import { s3EarlyDelete } from './s3-early-delete.ts';
import { s3IntelligentTiering } from './s3-intelligent-tiering.ts';
import { sagemakerNotebook } from './sagemaker-notebook.ts';
import { vpceIdle } from './vpce-idle.ts';

export const awsDetectors: readonly Detector[] = [
  amiOrphan,
  clbMigrate,
  cloudtrailDuplicate,
  crossAzTransfer,
  crossAzTransferShared,
  dynamodbIa,
  ebsGp2Gp3,
  ebsIo1Gp3,
  ebsMagnetic,
  ebsSnapshotArchive,
  ebsSnapshotOld,
  ebsUnattached,
  ec2Amd,
  ec2Graviton,
  ec2PreviousGen,
  ec2Spot,
  ec2StoppedStorage,
  ec2UnlimitedCredits,
  ecrNoLifecycle,
  efsLifecycle,
  eipIdle,
  eksExtendedSupport,
  elbIdle,
  engineExtendedSupport,
  fargateArm,
  fargateSpot,
  kinesisOverprovisioned,
  lambdaArm,
  lambdaProvisionedUnused,
  logsRetention,
  natIdle,
  natToEndpoint,
  nonprodSchedule,
  rdsBackupExcess,
  rdsExtendedSupport,
  rdsGraviton,
  rdsMultiAzNonprod,
  rdsPiopsGp3,
  rdsPreviousGen,
  s3ColdStandard,
  s3EarlyDelete,
  s3IntelligentTiering,
  sagemakerNotebook,
  vpceIdle,
];
