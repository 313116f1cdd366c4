//! Skills with the digest of every file.

use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, GetSkillRequestParams, GetSkillResult, ListSkillsResult, PaginatedRequestParams, Skill as ListedSkill,
    SkillFrontmatter, SkillResource, SkillResources,
};
use serde_json::json;

use super::listing::{page_of, page_size};
use super::reading::read_failure;
use crate::resources::{Freshness, Skill, Skills};
use tapps_base::Error;

/// Lists all skills.
pub(super) async fn list(
    skills: Skills,
    request: Option<PaginatedRequestParams>,
) -> Result<ListSkillsResult, ErrorData> {
    let all = read_listed_skills(skills).await?;
    let (page, next) = page_of(&all, request.as_ref(), page_size())?;
    let mut result = ListSkillsResult::with_all_items(page.to_vec())
        .with_ttl_ms(Freshness::Project.ttl_ms())
        .with_cache_scope(CacheScope::Private);
    result.next_cursor = next;
    Ok(result)
}

/// One skill by the address of its first page.
pub(super) async fn get(skills: Skills, request: GetSkillRequestParams) -> Result<GetSkillResult, ErrorData> {
    let all = read_listed_skills(skills).await?;
    let Some(skill) = all.into_iter().find(|skill| skill.uri == request.uri) else {
        let data = json!({"uri": request.uri, "hint": "skills/list names every skill"});
        return Err(ErrorData::invalid_params(format!("there is no skill at {}", request.uri), Some(data)));
    };
    Ok(GetSkillResult::new(skill).with_ttl_ms(Freshness::Project.ttl_ms()).with_cache_scope(CacheScope::Private))
}

/// Reads and digests off the async threads.
async fn read_listed_skills(skills: Skills) -> Result<Vec<ListedSkill>, ErrorData> {
    let read = move || Ok(skills.read()?.iter().filter_map(listed_skill).collect());
    let done = tokio::task::spawn_blocking(read).await;
    done.unwrap_or_else(|_| Err(Error::internal("the skills could not be read"))).map_err(|error| read_failure(&error))
}

fn listed_skill(skill: &Skill) -> Option<ListedSkill> {
    let first = skill.files.first()?;
    let files = skill.files.iter().map(|file| SkillResource::from_bytes(&file.uri, file.text.as_bytes())).collect();
    let front = SkillFrontmatter::new(&skill.name, &skill.description);
    Some(ListedSkill::new(&first.uri, front, SkillResources::Files(files)))
}
