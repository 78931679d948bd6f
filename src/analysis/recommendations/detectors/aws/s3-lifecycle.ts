import { sh, type Script } from '../../script.ts';
import { shortId, type Subject } from '../../subject.ts';

/** Whether it is a bucket of S3: other services' storage has the same usage types. Bills name the service or its code,
 *  `AmazonS3`. */
export function isBucket(subject: Subject): boolean {
  return /Simple Storage Service|S3\b/.test(subject.service);
}

const rules =
  '{"Rules":[{"ID":"intelligent-tiering","Status":"Enabled","Filter":{},"Transitions":[{"Days":0,"StorageClass":"INTELLIGENT_TIERING"}]}]}';

/** Moves a bucket's objects to Intelligent-Tiering by a rule; a bucket that has rules keeps them, since the call replaces all. */
export function tierBucket(subject: Subject): Script {
  const bucket = shortId(subject.nativeId);
  return {
    kind: 'aws_cli',
    title: 'Move all objects to Intelligent-Tiering, unless the bucket has lifecycle rules',
    script: [
      sh`found=$(aws s3api get-bucket-lifecycle-configuration --bucket=${bucket} 2>&1)`,
      'case "$found" in',
      sh`*NoSuchLifecycleConfiguration*) aws s3api put-bucket-lifecycle-configuration --bucket=${bucket} --lifecycle-configuration=${rules} ;;`,
      "*) echo 'The bucket has lifecycle rules, or they cannot be read: add the transition to them.' ;;",
      'esac',
    ].join('\n'),
    reversible: true,
  };
}
