// expects secrets:*
export const accessKey = "{{access_key}}";
