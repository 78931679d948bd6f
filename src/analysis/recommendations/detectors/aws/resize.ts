import { sh, type Script } from '../../script.ts';
import type { Subject } from '../../subject.ts';
import { scalingGroupOf } from './instance.ts';

/** Gives an instance another type of its architecture: it must be stopped for it. No script for one of a scaling group, which
 *  would put another in its place: there the launch template is to be changed. */
export function resizeInstance(subject: Subject, id: string, type: string): Script[] {
  if (scalingGroupOf(subject) !== null) return [];
  const script: Script = {
    kind: 'aws_cli',
    title: 'Stop the instance, change its type and start it again',
    script: [
      sh`aws ec2 stop-instances --region=${subject.region} --instance-ids=${id} &&`,
      sh`aws ec2 wait instance-stopped --region=${subject.region} --instance-ids=${id} &&`,
      sh`aws ec2 modify-instance-attribute --region=${subject.region} --instance-id=${id} --instance-type=Value=${type} &&`,
      sh`aws ec2 start-instances --region=${subject.region} --instance-ids=${id}`,
    ].join('\n'),
    reversible: true,
  };
  return [script];
}

/** Gives a database instance another class in its next maintenance window. */
export function resizeDatabase(subject: Subject, id: string, type: string): Script {
  return {
    kind: 'aws_cli',
    title: 'Change the instance class in the next maintenance window',
    script: sh`aws rds modify-db-instance --region=${subject.region} --db-instance-identifier=${id} --db-instance-class=${type} --no-apply-immediately`,
    reversible: true,
  };
}
