import { sh, type Script } from '../../script.ts';
import { shortId, type Subject } from '../../subject.ts';
import { nameBeside, placeOption } from './full-name.ts';

/** Takes a snapshot of a disk, then does the rest and deletes the disk. Empty where the id does not say where it is.
 *  @param between commands that free it */
export function deleteDiskScripts(subject: Subject, title: string, between: readonly string[] = []): Script[] {
  const place = placeOption(subject.nativeId);
  if (place === null) return [];
  const disk = shortId(subject.nativeId);
  return [
    {
      kind: 'gcloud',
      title,
      script: [
        `${snapshotCommand(subject)} ${place}`,
        ...between,
        `${sh`gcloud compute disks delete ${disk} --project=${subject.subAccount}`} ${place} --quiet`,
      ].join(' &&\n'),
      reversible: true,
    },
  ];
}

/** The command, less the place, that takes a snapshot named after the disk. */
export function snapshotCommand(subject: Subject): string {
  const disk = shortId(subject.nativeId);
  const snapshot = nameBeside(disk, 'costkeep');
  return sh`gcloud compute disks snapshot ${disk} --project=${subject.subAccount} --snapshot-names=${snapshot}`;
}
