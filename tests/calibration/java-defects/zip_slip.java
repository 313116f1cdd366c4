// expects tapps:entry-outside-folder
class Injected {
    Object place(java.io.File folder, java.util.zip.ZipEntry entry) {
        return new java.io.File(folder, entry.getName());
    }
}
