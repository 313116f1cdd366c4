// expects tapps:unused-import
import { readFileSync } from "node:fs";
