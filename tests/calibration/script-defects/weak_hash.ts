// expects tapps:weak-hash
import { createHash } from "node:crypto";
export function passwordDigest(password: string): string {
  return createHash("md5").update(password).digest("hex");
}
