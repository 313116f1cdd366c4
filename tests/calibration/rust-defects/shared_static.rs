// expects tapps:static-mut
static mut COUNT: u64 = 0;
