// expects tapps:child-process-template
import { exec } from "node:child_process";
export function archive(folder: string): void {
  exec(`tar czf backup.tgz ${folder}`);
}
