//! A CPython of this machine, packed as the archives of python-build-standalone are, and a server that has it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use tapps_base::digest;
use tapps_toolchain::{PythonTag, System};
use tar::{Builder, EntryType, Header};

use crate::toolchain_interpreter::CopiedPython;
use crate::toolchain_support::toolchain;

/// An archive with one folder, `python`.
pub(crate) struct PackedPython {
    pub(crate) bytes: Vec<u8>,
    pub(crate) sha256: String,
    pub(crate) file: String,
    version: String,
    tag: PythonTag,
    /// The name of its program.
    pub(crate) program: String,
}

impl PackedPython {
    /// `X.Y`.
    pub(crate) fn dotted(&self) -> &'static str {
        self.tag.dotted_version()
    }
}

/// The one that the tests' tools run on.
pub(crate) fn packed() -> &'static PackedPython {
    static PACKED: LazyLock<PackedPython> = LazyLock::new(|| {
        let interpreter = toolchain().interpreter().unwrap().clone();
        let copy = CopiedPython::new();
        let home = copy.program.parent().and_then(Path::parent).unwrap().to_owned();
        let program = format!("python{}", interpreter.tag.dotted_version());
        if !home.join("bin").join(&program).exists() {
            std::fs::rename(&copy.program, home.join("bin").join(&program)).unwrap();
        }
        for link in ["python", "python3"] {
            std::os::unix::fs::symlink(&program, home.join("bin").join(link)).unwrap();
        }
        let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        archive.follow_symlinks(false);
        archive.append_dir_all("python", &home).unwrap();
        let bytes = archive.into_inner().unwrap().finish().unwrap();
        let (version, tag) = (interpreter.version, interpreter.tag);
        let file = format!("cpython-{version}+20260101-packed-install_only_stripped.tar.gz");
        PackedPython { sha256: digest::sha256(&bytes), bytes, file, version, tag, program }
    });
    &PACKED
}

/// An archive of some entries, with names that no writer of archives would write.
pub(crate) fn write_archive(entries: &[(&str, EntryType, &str)]) -> Vec<u8> {
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, kind, content) in entries {
        let mut header = Header::new_ustar();
        header.set_entry_type(*kind);
        header.set_mode(0o755);
        let is_file = *kind == EntryType::Regular;
        header.set_size(if is_file { content.len() as u64 } else { 0 });
        let ustar = header.as_ustar_mut().unwrap();
        ustar.name[..name.len()].copy_from_slice(name.as_bytes());
        if !is_file {
            ustar.linkname[..content.len()].copy_from_slice(content.as_bytes());
        }
        header.set_cksum();
        archive.append(&header, if is_file { content.as_bytes() } else { &[] }).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

/// A lock of that one archive.
pub(crate) fn write_lock(folder: &Path, system: System, url: &str, sha256: &str, size: Option<u64>) -> PathBuf {
    let packed = packed();
    let mut archive = json!({
        "system": system, "python": packed.tag, "version": packed.version, "release": "20260101",
        "file": packed.file, "url": url, "sha256": sha256,
    });
    if let Some(size) = size {
        archive["size"] = size.into();
    }
    let path = folder.join(format!("interpreters-{system}.lock.json"));
    let lock = json!({ "schema_version": 1, "source": "a test", "archives": [archive] });
    std::fs::write(&path, lock.to_string()).unwrap();
    path
}

/// What a server answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Whole,
    /// First to another path of its own.
    Redirect,
    OtherBytes,
    /// The half of it.
    Truncated,
    NotFound,
}

/// A server on loopback, which ends with this value.
pub(crate) struct ArchiveServer {
    pub(crate) url: String,
    requests: Arc<AtomicUsize>,
    ended: Arc<AtomicUsize>,
    thread: Option<std::thread::JoinHandle<()>>,
    address: std::net::SocketAddr,
}

impl ArchiveServer {
    pub(crate) fn start(reply: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (counted, ends) = (Arc::clone(&requests), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if ends.load(Ordering::SeqCst) > 0 {
                    return;
                }
                // A client that breaks off, as one does that was offered too much, is no failure here.
                answer(stream.unwrap(), reply, &counted).ok();
            }
        });
        let url = format!("http://{address}/{}", packed().file);
        Self { url, requests, ended, thread: Some(thread), address }
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for ArchiveServer {
    fn drop(&mut self) {
        self.ended.store(1, Ordering::SeqCst);
        TcpStream::connect(self.address).ok();
        self.thread.take().map(std::thread::JoinHandle::join);
    }
}

fn answer(stream: TcpStream, reply: Reply, counted: &AtomicUsize) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let asked = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    counted.fetch_add(1, Ordering::SeqCst);
    let mut out = stream;
    let bytes = &packed().bytes;
    let head = |status: &str, more: &str| format!("HTTP/1.1 {status}\r\nConnection: close\r\n{more}\r\n\r\n");
    let whole = format!("Content-Length: {}", bytes.len());
    match reply {
        Reply::Redirect if !asked.contains("/store/") => {
            out.write_all(head("302 Found", "Location: /store/x\r\nContent-Length: 0").as_bytes())
        }
        Reply::Whole | Reply::Redirect => {
            out.write_all(head("200 OK", &whole).as_bytes())?;
            out.write_all(bytes)
        }
        Reply::OtherBytes => {
            out.write_all(head("200 OK", &whole).as_bytes())?;
            out.write_all(&vec![0; bytes.len()])
        }
        Reply::Truncated => {
            out.write_all(head("200 OK", &whole).as_bytes())?;
            out.write_all(&bytes[..bytes.len() / 2])
        }
        Reply::NotFound => out.write_all(head("404 Not Found", "Content-Length: 0").as_bytes()),
    }
}
