// expects tapps:tls-verify-off
import { Agent } from "node:https";
export const agent = new Agent({ rejectUnauthorized: false });
