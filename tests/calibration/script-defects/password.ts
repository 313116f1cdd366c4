// expects secrets:*
export const password = "{{password}}";
