// expects tapps:jwt-none
import { sign } from "jsonwebtoken";
export const unsigned = sign({ role: "admin" }, "", { algorithm: "none" });
