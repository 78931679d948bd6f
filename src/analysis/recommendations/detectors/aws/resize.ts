import type { Script } from '../../script.ts';
import { sh } from '../../script.ts';
import { shortId, type Subject } from '../../subject.ts';

/** Stops an instance, gives it another type and starts it. */
export function changeInstanceType(subject: Subject, target: string): Script {
  const id = shortId(subject.nativeId);
  return {
    kind: 'aws_cli',
    title: 'Stop the instance, change its type, start it',
    script: [
      sh`aws ec2 stop-instances --region=${subject.region} --instance-ids=${id} &&`,
      sh`aws ec2 wait instance-stopped --region=${subject.region} --instance-ids=${id} &&`,
      sh`aws ec2 modify-instance-attribute --region=${subject.region} --instance-id=${id} --instance-type=${JSON.stringify({ Value: target })} &&`,
      sh`aws ec2 start-instances --region=${subject.region} --instance-ids=${id}`,
    ].join('\n'),
    reversible: true,
  };
}

/** Changes a database's class in its next maintenance window. */
export function changeDatabaseClass(subject: Subject, target: string): Script {
  return {
    kind: 'aws_cli',
    title: 'Change the class in the next maintenance window',
    script: sh`aws rds modify-db-instance --region=${subject.region} --db-instance-identifier=${shortId(subject.nativeId)} --db-instance-class=${target} --no-apply-immediately`,
    reversible: true,
  };
}
